/** Holds what is expected of a step's result against it; that there was no answer, or not the whole of it, says more than what it lacks. */
import { limits } from '../kernel/limits.ts';
import { isWithin, leftUndecided, withoutDoubt } from './doubtful-parts.ts';
import { type Expectation, type Held, holdAgainst } from './hold-against.ts';

export function holdExchange(expectation: Expectation, evidence: unknown): Held {
  const held = holdAgainst(expectation, evidence);
  if (held.undecided !== undefined) return held;
  const sure = withoutDoubt(held, evidence);
  if (sure.undecided !== undefined) return sure;
  return held.held ? stillHolds(held, evidence) : toldApart(held, evidence);
}

interface Evidence {
  readonly error?: { readonly kind?: string; readonly message?: string };
  readonly broken?: unknown;
  readonly truncated?: unknown;
  readonly received?: unknown;
  readonly answers?: readonly unknown[];
}

/** One answer, and where it is: a burst has several. */
interface Answer {
  readonly at: string;
  readonly evidence: Evidence;
}

/** Where the contents of an answer are, as opposed to what is known about it. */
const inBody = /^\.(?:json|text|events|stdout|stderr|raw|received|result|content)(?![\w$-])/;

/** A pattern that never looked at the error, or looked at a part that was cut, has not held. */
function stillHolds(held: Held, evidence: unknown): Held {
  const answers = answersIn(evidence);
  const failed = answers.find(
    ({ at, evidence: { error } }) => error && !held.reads.some((read) => isWithin(read, `${at}.error`)),
  );
  if (failed && neverBegan(failed.evidence)) return notBegun(held, failed.evidence);
  if (failed) {
    const explanation = `there was an error at ${failed.at}, of which the pattern does not speak; expect it under \`error\``;
    return {
      ...held,
      held: false,
      observed: errorText(failed.evidence) ?? '',
      explanation,
      at: `${failed.at}.error`,
    };
  }
  const cut = answers.find((answer) => readsBody(held, answer) && isCut(answer.evidence));
  if (cut) return leftUndecided(held, tooLong);
  const broken = answers.find((answer) => readsBroken(held, answer));
  return broken ? leftUndecided(held, `what came after that is unknown: ${broken.evidence.broken}`) : held;
}

/** Of what does not hold, the reason that explains it; only where it parts in what was cut is it undecided. */
function toldApart(held: Held, evidence: unknown): Held {
  const { at = '$' } = held;
  const all = answersIn(evidence);
  const answer = all.findLast((one) => isWithin(at, one.at)) ?? { at: '$', evidence: {} };
  if (isWithin(at, `${answer.at}.error`)) return held;
  if (neverBegan(answer.evidence)) return notBegun(held, answer.evidence);
  const error = errorText(answer.evidence);
  if (error !== undefined) return { ...held, observed: error };
  const parts = all.filter((one) => isWithin(one.at, at) || isWithin(at, one.at));
  // A place outside of the body parts for certain, whatever the body holds; an operator above it may rest on it.
  const mayRest = (one: Answer): boolean =>
    isWithin(one.at, at) ? readsBody(held, one) : inBody.test(at.slice(one.at.length));
  if (parts.some((one) => isCut(one.evidence) && mayRest(one))) return leftUndecided(held, tooLong);
  const { broken } = answer.evidence;
  if (typeof broken !== 'string' || !mayRest(answer)) return held;
  return { ...held, observed: broken, unsure: broken };
}

const tooLong = `the answer is longer than the ${limits.keptBodyBytes / 1024 ** 2} MB that are kept of it; ask for less, or check \`bytes\` and \`sha256\``;

/** Whoever expects the break knows that nothing can be read after it. */
function readsBroken(held: Held, answer: Answer): boolean {
  const { broken, received } = answer.evidence;
  if (typeof broken !== 'string' || received === undefined) return false;
  return readsBody(held, answer) && !held.reads.some((read) => isWithin(read, `${answer.at}.broken`));
}

function readsBody({ reads }: Held, { at }: Answer): boolean {
  return reads.some((read) => isWithin(read, at) && inBody.test(read.slice(at.length)));
}

function answersIn(evidence: unknown): readonly Answer[] {
  const whole = asEvidence(evidence);
  const list = Array.isArray(whole.answers) ? whole.answers : [];
  return [
    { at: '$', evidence: whole },
    ...list.map((answer, index) => ({ at: `$.answers[${index}]`, evidence: asEvidence(answer) })),
  ];
}

function asEvidence(value: unknown): Evidence {
  return typeof value === 'object' && value !== null ? value : {};
}

function errorText({ error }: Evidence): string | undefined {
  return error ? `${error.kind}: ${error.message}` : undefined;
}

/** Nothing was sent, because of what the step says: that speaks neither for the system nor against it. */
export function neverBegan(evidence: unknown): boolean {
  return asEvidence(evidence).error?.kind === 'not-started';
}

function notBegun(held: Held, evidence: Evidence): Held {
  const error = errorText(evidence) ?? '';
  return leftUndecided({ ...held, observed: error }, error);
}

function isCut({ truncated }: Evidence): boolean {
  return truncated === true;
}
