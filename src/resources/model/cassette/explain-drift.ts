/** Which parts of a request differ from the recorded one. Pure. */
import { isMap } from '../../../kernel/is-map.ts';
import { printValue } from '../../../patterns/print-value.ts';
import { textDifference, valueDifference } from '../../cassette/value-difference.ts';
import type { RequestParts } from './cassette.ts';

/** A sentence for each part that changed, the most informative first; none where it is the same request. */
export function explainDrift(recorded: RequestParts, now: RequestParts): readonly string[] {
  const [before = 'turn', after = 'turn'] = [recorded.asks, now.asks];
  return [
    ...(before === after ? [] : [`what is asked for changed from ${before} to ${after}`]),
    ...(recorded.model === now.model ? [] : [`the model changed from ${recorded.model} to ${now.model}`]),
    ...textDifference(recorded.prompt.text, now.prompt.text).map(
      (how) => `the system prompt changed: ${how}`,
    ),
    ...toolDrift(recorded.tools, now.tools),
    ...messageDrift(recorded.messages, now.messages),
    ...parameterDrift(recorded.parameters, now.parameters),
  ];
}

function toolDrift(recorded: RequestParts['tools'], now: RequestParts['tools']): readonly string[] {
  const removed = Object.keys(recorded).filter((name) => !Object.hasOwn(now, name));
  const added = Object.keys(now).filter((name) => !Object.hasOwn(recorded, name));
  const changed = Object.keys(recorded).filter((name) => Object.hasOwn(now, name));
  return [
    ...removed.map((name) => `the tool ${name} is no longer offered`),
    ...added.map((name) => `the tool ${name} is new`),
    ...changed.flatMap((name) =>
      valueDifference(recorded[name], now[name]).map((how) => `the tool ${name} changed: ${how}`),
    ),
  ];
}

function messageDrift(recorded: readonly unknown[], now: readonly unknown[]): readonly string[] {
  const at = recorded.findIndex((message, index) => valueDifference(message, now[index]).length > 0);
  if (at !== -1 && at < now.length) {
    const [how = ''] = valueDifference(recorded[at], now[at]);
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
  const changed = names.filter((name) => valueDifference(recorded[name], now[name]).length > 0);
  return changed.map(
    (name) =>
      `the parameter ${name} changed from ${printValue(recorded[name], 60)} to ${printValue(now[name], 60)}`,
  );
}

function roleOf(message: unknown): string {
  return isMap(message) && typeof message.role === 'string' ? ` (${message.role})` : '';
}
