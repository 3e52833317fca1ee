/** Matches the expectation of a step with its result; a missing or partial answer says more than what it lacks. */

import { withMore } from '../journal/unfinished-body.ts';
import { limits } from '../kernel/limits.ts';
import { stepField } from '../kinds/step-kinds.ts';
import { holdSeen, isWithin, leftUndecided, withoutDoubt } from './doubtful-parts.ts';
import { type Expectation, type Held, holdAgainst } from './hold-against.ts';

export function holdExchange(expectation: Expectation, evidence: unknown): Held {
  const held = holdAgainst(expectation, evidence);
  // No pattern can expect that: it would hold whatever the system does.
  const broken = answersIn(evidence).find((one) => one.evidence.error?.kind === 'plugin-failed');
  if (broken) return notBegun(held, broken.evidence);
  if (held.undecided !== undefined) return held;
  const sure = withoutDoubt(held, evidence);
  if (sure.undecided !== undefined) return sure;
  return held.held ? stillHolds(held, expectation, evidence) : withDifference(held, evidence);
}

/** What must never be there is there, whatever error came with it. */
export function holdInExchange(expectation: Expectation, evidence: unknown): Held {
  const held = holdExchange(expectation, evidence);
  if (held.held || held.undecided !== undefined || neverBegan(evidence)) return held;
  const seen = holdSeen(expectation, evidence);
  return seen.held ? seen : held;
}

interface Evidence {
  readonly error?: { readonly kind?: string; readonly message?: string };
  readonly broken?: unknown;
  readonly truncated?: unknown;
  readonly received?: unknown;
  readonly pendingBytes?: number;
  readonly closedBy?: string;
  readonly events?: readonly unknown[];
  readonly answers?: readonly unknown[];
}

/** One answer and its path: a burst has several. */
interface Answer {
  readonly at: string;
  readonly evidence: Evidence;
}

/** Whether a path leads to the contents of an answer, as opposed to facts about it. */
function isInBody(path: string): boolean {
  const [, name = ''] = /^\.([\w$-]+)/.exec(path) ?? [];
  return stepField(name)?.isContent === true;
}

/** A pattern that did not read the error, or read a truncated part, has not held. */
function stillHolds(held: Held, expectation: Expectation, evidence: unknown): Held {
  const answers = answersIn(evidence);
  const failed = answers.find(
    ({ at, evidence: { error } }) => error && !held.reads.some((read) => isWithin(read, `${at}.error`)),
  );
  if (failed && neverBegan(failed.evidence)) return notBegun(held, failed.evidence);
  if (failed) {
    const explanation = `there was an error at ${failed.at}, which the pattern does not mention; expect it under \`error\``;
    return {
      ...held,
      held: false,
      observed: errorText(failed.evidence) ?? '',
      explanation,
      at: `${failed.at}.error`,
    };
  }
  const cut = answers.find((answer) => readsBody(held, answer) && isCut(answer.evidence));
  if (cut) return leftUndecided(held, tooLong(cut));
  const open = answers.find((answer) => mayHaveMore(held, answer));
  if (open && !holdSeen(expectation, mayGoOn(evidence)).held)
    return leftUndecided(held, moreMessages(open.evidence));
  const broken = answers.find((answer) => readsBroken(held, answer));
  if (!broken || (broken.evidence.events && holdSeen(expectation, mayGoOn(evidence)).held)) return held;
  return leftUndecided(held, `what followed is unknown: ${broken.evidence.broken}`);
}

/** The same evidence with one more event in each broken stream. */
function mayGoOn(evidence: unknown): unknown {
  const { answers, ...one } = asEvidence(evidence);
  const events = one.broken !== undefined && one.events ? { events: withMore(one.events) } : {};
  const received = Array.isArray(one.received) ? { received: withMore(one.received) } : {};
  return {
    ...one,
    ...events,
    ...received,
    ...(Array.isArray(answers) ? { answers: answers.map(mayGoOn) } : {}),
  };
}

/** For a mismatch, the reason that explains it; it is undecided only if the difference is in a truncated part. */
function withDifference(held: Held, evidence: unknown): Held {
  const { at = '$' } = held;
  const all = answersIn(evidence);
  const answer = all.findLast((one) => isWithin(at, one.at)) ?? { at: '$', evidence: {} };
  if (isWithin(at, `${answer.at}.error`)) return held;
  if (neverBegan(answer.evidence)) return notBegun(held, answer.evidence);
  const error = errorText(answer.evidence);
  if (error !== undefined) return { ...held, observed: error };
  const parts = all.filter((one) => isWithin(one.at, at) || isWithin(at, one.at));
  // A place outside of the body differs for certain, whatever the body contains; an operator above it may depend on
  // it.
  const mayRest = (one: Answer): boolean =>
    isWithin(one.at, at) ? readsBody(held, one) : isInBody(at.slice(one.at.length));
  const cut = parts.find((one) => isCut(one.evidence) && mayRest(one));
  if (cut) return leftUndecided(held, tooLong(cut));
  const { broken } = answer.evidence;
  if (typeof broken !== 'string' || !mayRest(answer)) return held;
  return { ...held, observed: broken, unsure: broken };
}

function tooLong({ evidence }: Answer): string {
  const known = 'stdoutBytes' in evidence ? '`stdoutBytes` and `stderrBytes`' : '`bytes` and `sha256`';
  return `the answer is longer than the ${limits.keptBodyBytes / 1024 ** 2} MB that are kept of it; ask for less, or check ${known}`;
}

/** A pattern that expects the break accepts that nothing can be read after it. */
function readsBroken(held: Held, answer: Answer): boolean {
  const { broken, received, events } = answer.evidence;
  if (typeof broken !== 'string' || (received ?? events) === undefined) return false;
  return readsBody(held, answer) && !held.reads.some((read) => isWithin(read, `${answer.at}.broken`));
}

/** A message had begun, or a reset may have discarded what was sent before. */
function mayHaveMore(held: Held, answer: Answer): boolean {
  const { pendingBytes, closedBy, received } = answer.evidence;
  if (!Array.isArray(received) || (pendingBytes === undefined && closedBy !== 'reset')) return false;
  const accepted = [`${answer.at}.pendingBytes`, `${answer.at}.closedBy`];
  return readsBody(held, answer) && !held.reads.some((read) => accepted.some((at) => isWithin(read, at)));
}

function moreMessages({ pendingBytes }: Evidence): string {
  return pendingBytes === undefined
    ? 'the connection was reset, which may have discarded messages; expect `closedBy` if that is all right'
    : `${pendingBytes} bytes of a message came, and not its end`;
}

function readsBody({ reads }: Held, { at }: Answer): boolean {
  return reads.some((read) => isWithin(read, at) && isInBody(read.slice(at.length)));
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

/** The step sent nothing, because of its own definition: that is neither for nor against the system. */
export function neverBegan(evidence: unknown): boolean {
  return ['not-started', 'plugin-failed'].includes(asEvidence(evidence).error?.kind ?? '');
}

function notBegun(held: Held, evidence: Evidence): Held {
  const error = errorText(evidence) ?? '';
  return leftUndecided({ ...held, observed: error }, error);
}

function isCut({ truncated }: Evidence): boolean {
  return truncated === true;
}
