/** Converts a line of a model's script, as written, into plain data for the model. */
import { defined } from '../../kernel/defined.ts';
import { maybeMs } from '../../kernel/duration.ts';
import type { ModelLineDocument } from '../document/model-line-document.ts';

/** In the form of `ScriptLine` in `resources/model`. */
export function buildModelLine(line: ModelLineDocument): Readonly<Record<string, unknown>> {
  const { calls, error, after, pace, pieces, ...same } = line;
  const retryAfter = error?.retryAfter?.toString();
  return defined({
    ...same,
    calls: calls && buildCalls(calls),
    error: error && defined({ ...error, retryAfter }),
    afterMs: maybeMs(after),
    paceMs: maybeMs(pace),
    pieceChars: pieces,
  });
}

function buildCalls(calls: NonNullable<ModelLineDocument['calls']>): readonly unknown[] {
  if (!Array.isArray(calls)) return Object.entries(calls).map(([name, args]) => ({ name, arguments: args }));
  return calls.map(({ name, args, raw, id }) => defined({ name, arguments: args ?? {}, raw, id }));
}
