/** Reads the tools of an Anthropic request: those that it declares, and what its messages change about them. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { ModelRequest, OfferedTool } from '../turn/dialect.ts';
import { type FoldNotes, shownValue } from '../turn/fold-notes.ts';

export function readTools(
  request: JsonMap,
  changes: readonly JsonMap[],
  notes: FoldNotes,
): Pick<ModelRequest, 'tools' | 'mayOfferMore'> {
  const known = new Map<string, OfferedTool>();
  const withdrawn = new Set<unknown>();
  const { mcp_servers: servers } = request;
  let mayOfferMore = continuedFrom(request) !== undefined || (Array.isArray(servers) && servers.length > 0);
  const define = (tool: unknown, path: string): undefined => {
    if (isMap(tool) && tool.name === undefined && isOfProvider(tool)) {
      mayOfferMore = true;
      return;
    }
    if (!isMap(tool) || typeof tool.name !== 'string')
      return notes.fault('tools-form', `\`${path}\` is ${shownValue(tool)} without a name`);
    withdrawn.delete(tool.name);
    judgeTool(tool, path, notes);
    known.set(tool.name, { name: tool.name, schema: tool.input_schema });
  };
  for (const [at, tool] of declaredIn(request, notes).entries()) {
    if (isMap(tool) && known.has(String(tool.name)))
      notes.fault('tool-again', `two tools are named ${shownValue(tool.name)}`);
    define(tool, `tools.${at}`);
  }
  for (const { type, tool } of changes) {
    if (!isMap(tool)) continue;
    if (type === 'tool_removal') withdrawn.add(tool.name);
    else if (tool.definition !== undefined) define(tool.definition, `${type}.tool.definition`);
    else withdrawn.delete(tool.name);
  }
  const tools = [...known.values()].filter(({ name }) => !withdrawn.has(name));
  return { tools, ...(mayOfferMore ? { mayOfferMore } : {}) };
}

/** The id of the answer that the provider holds a conversation under; then only what is new is sent. */
export function continuedFrom({ thread }: JsonMap): unknown {
  return isMap(thread) && thread.type === 'continue' ? (thread.previous_message_id ?? null) : undefined;
}

function declaredIn({ tools }: JsonMap, notes: FoldNotes): readonly unknown[] {
  if (tools === undefined || Array.isArray(tools)) return tools ?? [];
  notes.fault('tools-form', `\`tools\` is ${shownValue(tools)}, not a list`);
  return [];
}

/** Such a tool has its own type and no schema. A set of them has no name either, and does not list its tools. */
function isOfProvider({ type }: JsonMap): boolean {
  return type !== undefined && type !== null && type !== 'custom';
}

function judgeTool(tool: JsonMap, path: string, notes: FoldNotes): void {
  const { name, input_schema } = tool;
  if (!/^[a-zA-Z0-9_-]{1,128}$/.test(String(name)))
    notes.fault(
      'tool-name',
      `\`${path}.name\` is ${shownValue(name)}: letters, digits, _ and -, 128 at most`,
    );
  if (isOfProvider(tool)) return;
  if (!isMap(input_schema))
    notes.fault('tool-schema', `\`${path}.input_schema\` is ${shownValue(input_schema)}, not an object`);
  else if (input_schema.type !== 'object')
    notes.fault(
      'tool-schema',
      `\`${path}.input_schema.type\` is ${shownValue(input_schema.type)}, not "object"`,
    );
}
