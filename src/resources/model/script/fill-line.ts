/** A line of a script with the values that its references have for one request. */
import { asText } from '../../../kernel/references.ts';
import type { ScriptValues } from '../../script-values.ts';
import type { RequestView, ScriptLine } from '../script-line.ts';

/** Throws a `MissingValue`. What is said is a text, whatever type the value has; arguments keep their types. */
export function fillLine(line: ScriptLine, view: RequestView, values: ScriptValues): ScriptLine {
  const { when: _when, expect, ...said } = line;
  const { calls, error, ...rest } = values.fill(said, view);
  return {
    ...withTexts(rest, ['says', 'reasons', 'hides', 'refuses']),
    ...(calls === undefined ? {} : { calls: calls.map((call) => withTexts(call, ['name', 'id'])) }),
    ...(error === undefined ? {} : { error: errorWithTexts(error) }),
    ...(expect === undefined ? {} : { expect: values.fillPattern(expect, view) }),
  };
}

function errorWithTexts(error: NonNullable<ScriptLine['error']>): NonNullable<ScriptLine['error']> {
  const { headers, ...rest } = withTexts(error, ['message', 'text', 'retryAfter']);
  return headers === undefined ? rest : { ...rest, headers: withTexts(headers, Object.keys(headers)) };
}

function withTexts<Part extends object>(part: Part, keys: readonly string[]): Part {
  const entries = Object.entries(part).map(([key, value]) => [
    key,
    keys.includes(key) ? asText(value) : value,
  ]);
  return Object.fromEntries(entries) as Part;
}
