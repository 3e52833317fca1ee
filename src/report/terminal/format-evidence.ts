/** The result of a step in a few words: its kind knows the significant part. */
import { isMap } from '../../kernel/is-map.ts';
import type { StepEvidence } from '../../kinds/kind/evidence.ts';
import { stepKinds } from '../../kinds/step-kinds.ts';
import { oneLineValue } from './fit-text.ts';

type Evidence = Readonly<Record<string, unknown>>;

export function formatEvidence(evidence: unknown, room: number): string {
  if (!isMap(evidence))
    return evidence === null || evidence === undefined ? 'done' : oneLineValue(evidence, room);
  const { answers, error } = evidence;
  if (answers !== undefined) return formatBurst(answers, room);
  if (error !== undefined) return formatError(error, room);
  const format = kindsOfEvidence().find((one) =>
    one.format?.when.some((key) => evidence[key] !== undefined),
  )?.format;
  return format?.words(evidence, (value) => oneLineValue(value, room)) ?? formatRest(evidence, room);
}

/** Last first, because evidence of one protocol may hold fields of another that carries it. */
function kindsOfEvidence(): readonly StepEvidence[] {
  return Object.values(stepKinds)
    .flatMap(({ evidence }) => (typeof evidence === 'object' ? [evidence] : []))
    .reverse();
}

function formatError(error: unknown, room: number): string {
  if (!isMap(error)) return oneLineValue(error, room);
  return [error.kind, error.message].filter((part) => typeof part === 'string').join(': ');
}

/** Many answers are counted by outcome: `20 answers: 19 × status 200, 1 × status 500`. */
function formatBurst(answers: unknown, room: number): string {
  if (!Array.isArray(answers)) return oneLineValue(answers, room);
  const counts = new Map<string, number>();
  for (const answer of answers) {
    const outcome = outcomeOf(answer);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  const shown = [...counts].map(([outcome, count]) => `${count} × ${outcome}`).join(', ');
  return `${answers.length} answers: ${shown}`;
}

function outcomeOf(answer: unknown): string {
  if (!isMap(answer)) return 'answered';
  if (isMap(answer.error)) return String(answer.error.kind);
  const { outcome } =
    kindsOfEvidence().find((one) => one.outcome && answer[one.outcome.field] !== undefined) ?? {};
  return outcome?.words?.(answer[outcome.field]) ?? 'answered';
}

function formatRest({ request: _request, headers: _headers, ...rest }: Evidence, room: number): string {
  return oneLineValue(rest, room);
}
