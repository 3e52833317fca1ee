/** Converts a line of a model's script, as written, into plain data for the model. */
import type { ModelLineDocument } from '../document/model-line-document.ts';
import { durationMs } from './duration-ms.ts';

/** In the form of `ScriptLine` in `resources/model`. */
export function buildModelLine(line: ModelLineDocument): Readonly<Record<string, unknown>> {
  const { calls, error, after, pace, pieces, ...same } = line;
  return given({
    ...same,
    calls: calls === undefined ? undefined : buildCalls(calls),
    error:
      error === undefined
        ? undefined
        : given({
            ...error,
            retryAfter: error.retryAfter === undefined ? undefined : String(error.retryAfter),
          }),
    afterMs: after === undefined ? undefined : durationMs(after, 0),
    paceMs: pace === undefined ? undefined : durationMs(pace, 0),
    pieceChars: pieces,
  });
}

function buildCalls(calls: NonNullable<ModelLineDocument['calls']>): readonly unknown[] {
  if (!Array.isArray(calls)) return Object.entries(calls).map(([name, args]) => ({ name, arguments: args }));
  return calls.map(({ name, args, id }) => given({ name, arguments: args ?? {}, id }));
}

/** Without the keys that have no value. */
export function given(value: object): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined));
}
