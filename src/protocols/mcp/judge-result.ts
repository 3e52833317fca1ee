/** What is wrong with the result of a method of MCP, in every version of it. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { described } from './judge-against-schema.ts';
import { breachBy, type McpBreach } from './mcp-exchange.ts';
import { isProvisional } from './tool-result.ts';

export function judgeResult(method: string, result: unknown): readonly McpBreach[] {
  if (!isMap(result)) {
    return breach('mcp.result-not-object', `the result of ${method} is ${found(result)}, not an object`);
  }
  if (isProvisional(result)) return [];
  if (method === 'tools/call') return judgeToolResult(result);
  if (method === 'tools/list') return judgeTools(result);
  if (method === 'initialize') return judgeGreeting(result);
  const list = Object.hasOwn(lists, method) ? lists[method] : undefined;
  if (list === undefined || Array.isArray(result[list])) return [];
  return breach('mcp.result-list', `\`${list}\` of ${method} is ${found(result[list])}, not a list`);
}

const lists: Readonly<Record<string, string>> = {
  'resources/list': 'resources',
  'resources/templates/list': 'resourceTemplates',
  'resources/read': 'contents',
  'prompts/list': 'prompts',
  'prompts/get': 'messages',
};

const breach = breachBy.provider;

function found(value: unknown): string {
  return value === undefined ? 'missing' : described(value);
}

/** The first versions of all had `toolResult` in place of the content. */
function judgeToolResult(result: JsonMap): readonly McpBreach[] {
  const { content, isError } = result;
  if (content === undefined && result.toolResult !== undefined) return [];
  if (!Array.isArray(content)) {
    return breach('mcp.tool-content', `the \`content\` of a tool's result is ${found(content)}, not a list`);
  }
  const bad = content.find(
    (block) => !isMap(block) || typeof block.type !== 'string' || isTextWithoutText(block),
  );
  const blocks =
    bad === undefined ? [] : breach('mcp.tool-content-block', `a block of the content is ${blockText(bad)}`);
  const isOdd = isError !== undefined && isError !== null && typeof isError !== 'boolean';
  return isOdd ? [...blocks, ...breach('mcp.tool-is-error', `\`isError\` is ${found(isError)}`)] : blocks;
}

function isTextWithoutText({ type, text }: JsonMap): boolean {
  return type === 'text' && typeof text !== 'string';
}

function blockText(block: unknown): string {
  return isMap(block)
    ? `of the type ${JSON.stringify(block.type) ?? 'nothing'}, without what belongs to it`
    : found(block);
}

function judgeTools({ tools }: JsonMap): readonly McpBreach[] {
  if (!Array.isArray(tools))
    return breach('mcp.result-list', `\`tools\` of tools/list is ${found(tools)}, not a list`);
  return tools.flatMap((tool: unknown) => {
    if (!isMap(tool) || typeof tool.name !== 'string')
      return breach('mcp.unnamed-tool', 'a tool of the list has no name');
    if (isMap(tool.inputSchema)) return [];
    const what = `the \`inputSchema\` of ${JSON.stringify(tool.name)} is ${found(tool.inputSchema)}, not an object`;
    return breach('mcp.tool-schema', what);
  });
}

function judgeGreeting({ protocolVersion, capabilities }: JsonMap): readonly McpBreach[] {
  if (typeof protocolVersion !== 'string') {
    return breach('mcp.greeting', `the \`protocolVersion\` of initialize is ${found(protocolVersion)}`);
  }
  if (isMap(capabilities)) return [];
  return breach('mcp.greeting', `the \`capabilities\` of initialize are ${found(capabilities)}`);
}
