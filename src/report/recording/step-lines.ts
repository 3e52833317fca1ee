/** Calls from outside, as steps: a value from one step that is used in a later one becomes a reference. Pure. */

import type { CallEvent } from '../../journal/call-event.ts';
import { idsIn } from '../../journal/steady-value.ts';
import { isMap } from '../../kernel/is-map.ts';
import type { RecordedAs } from '../../kinds/kind/step-recorder.ts';
import { stepKinds } from '../../kinds/step-kinds.ts';
import { type WritingContext, writtenText, writtenValue } from './written-value.ts';

export interface RecordedStep extends RecordedAs {
  readonly name: string;
  readonly call: CallEvent;
}

/** `target` is the called service, or the command that starts a tool server over stdio. */
export function stepLines(
  calls: readonly CallEvent[],
  context: WritingContext,
  target: (call: CallEvent) => unknown = ({ to }) => to,
) {
  const known = new Map(context.known);
  const steps: RecordedStep[] = [];
  const notes = new Set<string>();
  const toolPaths = new Set(calls.filter(({ protocol }) => protocol === 'json-rpc').map(pathOf));
  for (const call of calls) {
    // What only carries the messages of tools is written with these.
    if (call.protocol !== 'json-rpc' && toolPaths.has(pathOf(call))) continue;
    const name = `call-${steps.length + 1}`;
    const writing = { ...context, known };
    const made = Object.values(stepKinds)
      .find(({ recorder }) => recorder?.protocol === call.protocol)
      ?.recorder?.write(call, name, {
        target: target(call),
        text: (text) => writtenText(text, writing),
        value: (value) => writtenValue(value, writing),
        note: (sentence) => void notes.add(sentence),
      });
    if (!made) continue;
    steps.push({ name, call, ...made });
    for (const [text, reference] of idsOf(made.result, name))
      if (!known.has(text)) known.set(text, reference);
  }
  return { steps, notes: [...notes] };
}

/** Ids of a result, mapped to references; also small numbers, if their name says that they are ids. */
function idsOf(value: unknown, place: string, name = ''): readonly (readonly [string, string])[] {
  const reference = `\${${place}}`;
  if (typeof value === 'string') return idsIn(value).includes(value) ? [[value, reference]] : [];
  if (typeof value === 'number') return /id$/i.test(name) && value >= 100 ? [[String(value), reference]] : [];
  if (Array.isArray(value)) return value.flatMap((item, index) => idsOf(item, `${place}.${index}`, name));
  if (!isMap(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    /^[\w-]+$/.test(key) ? idsOf(inner, `${place}.${key}`, key) : [],
  );
}

function pathOf({ path }: CallEvent): string {
  return path.split('?')[0] ?? path;
}
