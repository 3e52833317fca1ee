/** Whether arguments that a line gives as a text can be sent in this dialect: where they are a value of JSON, only JSON can. */
import type { DialectName } from '../../../protocols/turn/turn.ts';
import { isJson } from '../../../protocols/turn/written-arguments.ts';
import type { ModelCall } from '../model-call.ts';
import type { ScriptLine } from '../script-line.ts';

/** Why not; undefined if all of them can. */
export function unsayableArguments(
  { dialect, request }: ModelCall,
  { calls }: ScriptLine,
): string | undefined {
  const isValue = valuesIn(dialect.name, request.stream);
  for (const { name, raw } of calls ?? []) {
    if (raw === undefined) continue;
    if (request.tools.find((tool) => tool.name === name)?.item !== undefined)
      return `the line gives the arguments of ${name} as a text, but a call of this tool has none; write \`args\``;
    if (isValue !== undefined && !isJson(raw))
      return `the line gives the arguments of ${name} as ${JSON.stringify(raw)}, but ${isValue} and only JSON can be sent; write JSON of another form, such as a list, or choose a \`shape\``;
  }
  return undefined;
}

function valuesIn(dialect: DialectName, isStreamed: boolean): string | undefined {
  if (dialect === 'gemini') return 'in a call of Gemini they are a value';
  return dialect === 'anthropic' && !isStreamed
    ? 'in an answer of Anthropic that is not streamed they are a value'
    : undefined;
}
