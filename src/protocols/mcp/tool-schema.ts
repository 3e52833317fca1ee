/** Checks a call of a tool against what its server announces: arguments and structured content. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { isTooDeep } from '../json-rpc/json-depth.ts';
import { judgeAgainstSchema } from './judge-against-schema.ts';
import { breachBy, type McpBreach } from './mcp-exchange.ts';
import { isProvisional } from './tool-result.ts';

/** `tools` as `tools/list` gave them, `call` as the params of `tools/call`, `result` absent where there is none. */
export function judgeToolCall(tools: unknown, call: unknown, result?: unknown): readonly McpBreach[] {
  if (!Array.isArray(tools) || !isMap(call)) return [];
  const tool: unknown = tools.find((one: unknown) => isMap(one) && one.name === call.name);
  if (!isMap(tool)) return [];
  return [...judgeArguments(tool.inputSchema, call), ...judgeContent(tool, result)];
}

function judgeArguments(schema: unknown, { name, arguments: sent = {} }: JsonMap): readonly McpBreach[] {
  const violation = isTooDeep(sent) ? undefined : judgeAgainstSchema(schema, sent);
  if (violation === undefined) return [];
  const what = `the arguments of ${JSON.stringify(name)} do not fit its \`inputSchema\`: ${violation.what}`;
  return breachBy.consumer('mcp.arguments-schema', what);
}

/** A tool that failed need not say it in its own structure, and one that asks back has not answered yet. */
function judgeContent(tool: JsonMap, result: unknown): readonly McpBreach[] {
  if (!isMap(tool.outputSchema) || !isMap(result) || result.isError === true) return [];
  if (isProvisional(result)) return [];
  const name = JSON.stringify(tool.name);
  const { structuredContent: content } = result;
  if (content === undefined) {
    const what = `${name} has an \`outputSchema\`, and its result has no \`structuredContent\``;
    return breachBy.provider('mcp.structured-content', what);
  }
  const violation = isTooDeep(content) ? undefined : judgeAgainstSchema(tool.outputSchema, content);
  if (violation === undefined) return [];
  const what = `the \`structuredContent\` of ${name} does not fit its \`outputSchema\`: ${violation.what}`;
  return breachBy.provider('mcp.output-schema', what);
}
