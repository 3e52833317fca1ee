/** Which parts of a request are others than when it was recorded. Pure. */
import { isDeepStrictEqual } from 'node:util';
import { checkPattern } from '../../../patterns/check-pattern.ts';
import { matchPattern } from '../../../patterns/match-pattern.ts';
import { printTextDifference } from '../../../patterns/print-text-difference.ts';
import { printValue } from '../../../patterns/print-value.ts';
import { isMap } from '../../../protocols/json-rpc/is-map.ts';
import { type RequestParts, steadyText } from './request-parts.ts';

/** A sentence for each part that changed, the most telling first; none where it is the same request. */
export function explainDrift(recorded: RequestParts, now: RequestParts): readonly string[] {
  return [
    ...(recorded.model === now.model ? [] : [`the model changed from ${recorded.model} to ${now.model}`]),
    ...promptDrift(recorded.prompt.text, now.prompt.text),
    ...toolDrift(recorded.tools, now.tools),
    ...messageDrift(recorded.messages, now.messages),
    ...parameterDrift(recorded.parameters, now.parameters),
  ];
}

function promptDrift(recorded: string, now: string): readonly string[] {
  const [before, after] = [steadyText(recorded), steadyText(now)];
  if (before === after) return [];
  const { expected, observed } = printTextDifference(before, after);
  return [`the system prompt changed: recorded ${expected}, now ${observed}`];
}

function toolDrift(recorded: RequestParts['tools'], now: RequestParts['tools']): readonly string[] {
  const removed = Object.keys(recorded).filter((name) => !Object.hasOwn(now, name));
  const added = Object.keys(now).filter((name) => !Object.hasOwn(recorded, name));
  const changed = Object.keys(recorded).filter((name) => Object.hasOwn(now, name));
  return [
    ...removed.map((name) => `the tool ${name} is no longer offered`),
    ...added.map((name) => `the tool ${name} is new`),
    ...changed.flatMap((name) =>
      difference(recorded[name], now[name]).map((how) => `the tool ${name} changed: ${how}`),
    ),
  ];
}

function messageDrift(recorded: readonly unknown[], now: readonly unknown[]): readonly string[] {
  const at = recorded.findIndex((message, index) => difference(message, now[index]).length > 0);
  if (at !== -1 && at < now.length) {
    const [how = ''] = difference(recorded[at], now[at]);
    return [`message ${at + 1} of ${now.length}${roleOf(now[at])} changed: ${how}`];
  }
  if (recorded.length === now.length) return [];
  return [`there are ${now.length} messages, and ${recorded.length} were recorded`];
}

function parameterDrift(
  recorded: RequestParts['parameters'],
  now: RequestParts['parameters'],
): readonly string[] {
  const names = [...new Set([...Object.keys(recorded), ...Object.keys(now)])];
  const changed = names.filter((name) => difference(recorded[name], now[name]).length > 0);
  return changed.map(
    (name) =>
      `the parameter ${name} changed from ${printValue(recorded[name], 60)} to ${printValue(now[name], 60)}`,
  );
}

/** Where two values part; empty where they are the same but for ids and times. */
function difference(recorded: unknown, now: unknown): readonly string[] {
  const [before, after] = [steadyValue(recorded), steadyValue(now)];
  if (isDeepStrictEqual(before, after)) return [];
  const exactly = { $eq: before ?? null };
  if (checkPattern(exactly, 'resolved').length > 0)
    return [`recorded ${printValue(before)}, now ${printValue(after)}`];
  const [first] = matchPattern(exactly, after ?? null).mismatches;
  if (first === undefined) return ['it has another order, or a part more'];
  return [`recorded ${first.expected}, now ${first.observed}, at ${first.path}`];
}

function steadyValue(value: unknown): unknown {
  if (typeof value === 'string') return steadyText(value);
  if (Array.isArray(value)) return value.map(steadyValue);
  if (!isMap(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, steadyValue(inner)]));
}

function roleOf(message: unknown): string {
  return isMap(message) && typeof message.role === 'string' ? ` (${message.role})` : '';
}
