/** Holds what is expected of a step's result against it; that there was no answer, or not the whole of it, says more than what it lacks. */
import { limits } from '../kernel/limits.ts';
import { type Expectation, type Held, holdAgainst } from './hold-against.ts';

export function holdExchange(expectation: Expectation, evidence: unknown): Held {
  const held = holdAgainst(expectation, evidence);
  if (held.undecided !== undefined) return held;
  if (held.held) return isCut(evidence) && saysWhatIsNotThere(expectation.expect) ? undecided(held) : held;
  const answer = answerAt(evidence, held.at ?? '$');
  if (/^\$\.error\b/.test(answer.at)) return held;
  const { error, broken } = answer.evidence;
  if (error) return { ...held, observed: `${error.kind}: ${error.message}` };
  if (!inBody.test(answer.at)) return held;
  if (isCut(answer.evidence)) return undecided(held);
  return typeof broken === 'string' ? { ...held, observed: broken } : held;
}

interface Evidence {
  readonly error?: { readonly kind?: string; readonly message?: string };
  readonly broken?: unknown;
  readonly truncated?: unknown;
  readonly answers?: readonly unknown[];
}

/** Where the contents of an answer are, as opposed to what is known about it. */
const inBody = /^\$\.(?:json|text|events|stdout|stderr|raw|received)\b/;

/** Of a burst, the answer of which the path speaks. */
function answerAt(evidence: unknown, at: string): { readonly evidence: Evidence; readonly at: string } {
  const [, index, rest] = /^\$\.answers\[(\d+)\](.*)$/s.exec(at) ?? [];
  const whole = asEvidence(evidence);
  if (index === undefined) return { evidence: whole, at };
  return { evidence: asEvidence(whole.answers?.[Number(index)]), at: `$${rest}` };
}

function asEvidence(value: unknown): Evidence {
  return typeof value === 'object' && value !== null ? value : {};
}

function isCut(evidence: unknown): boolean {
  const { truncated, answers } = asEvidence(evidence);
  return truncated === true || (answers ?? []).some((answer) => asEvidence(answer).truncated === true);
}

/** What holds for the part that was kept need not hold for the rest. */
function saysWhatIsNotThere(expect: unknown): boolean {
  return /"\$(?:not|ne|absent|each|length)":/.test(JSON.stringify(expect) ?? '');
}

function undecided(held: Held): Held {
  const because = `the answer is longer than the ${limits.keptBodyBytes / 1024 ** 2} MB that are kept of it; ask for less, or check \`bytes\` and \`sha256\``;
  return {
    ...held,
    held: false,
    undecided: because,
    explanation: [because, held.explanation].filter(Boolean).join('\n'),
  };
}
