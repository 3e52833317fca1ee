/** Compares the tools that steps call, and their arguments, with what the servers of the running system list. */
import { isMap } from '../../../kernel/is-map.ts';
import { didYouMean } from '../../../kernel/nearest.ts';
import { judgeAgainstSchema } from '../../../protocols/mcp/judge-against-schema.ts';
import { liveFinding } from '../live-finding.ts';
import { isOpen } from '../suite/scan-module.ts';
import type { Claim, McpServer, ToolClaim } from './claims.ts';
import { type Examined, listed, type Outcome, openExamination } from './examined.ts';
import type { Looking } from './looking.ts';

/** Name to the schema of its arguments. */
export type OfferedTools = ReadonlyMap<string, unknown>;

/** What a server offers, or why that is not known; each is asked once. */
export type ToolLists = (server: McpServer) => Promise<OfferedTools | string>;

export function openToolLists(looking: Looking): ToolLists {
  const asked = new Map<string, Promise<OfferedTools | string>>();
  const ask = async ({ folder, ...server }: McpServer): Promise<OfferedTools | string> => {
    const down = looking.down.get(server.target?.split('.')[0] ?? '');
    if (down !== undefined) return `${server.target} is ${down}`;
    const { tools, error, rpcError } = await looking.ask('mcp', { ...server, list: 'tools' }, folder);
    const refusal = error ?? (isMap(rpcError) ? rpcError : undefined);
    if (Array.isArray(tools) && !refusal) return new Map(tools.flatMap(toEntry));
    const { message } = { ...refusal } as { readonly message?: unknown };
    const because = typeof message === 'string' ? message : 'the list is too large to be kept';
    return `${server.target ?? server.stdio?.join(' ')} does not list its tools: ${because}`;
  };
  return (server) => {
    const key = JSON.stringify(server);
    const answer = asked.get(key) ?? ask(server);
    asked.set(key, answer);
    return answer;
  };
}

function toEntry(tool: unknown): readonly (readonly [string, unknown])[] {
  return isMap(tool) && typeof tool.name === 'string' ? [[tool.name, tool.inputSchema]] : [];
}

export async function examineTools(claims: readonly ToolClaim[], lists: ToolLists): Promise<Examined> {
  const examination = openExamination();
  for (const claim of claims.filter(({ isMeantToFail }) => !isMeantToFail)) {
    const { server, tool } = claim;
    const name = server.target ?? server.stdio?.join(' ') ?? 'the server';
    const shown = isOpen(tool) ? '${…}' : String(tool);
    examination.note(`${name}: ${shown}`, await examine(claim, lists, name));
  }
  return examination.examined('tools');
}

async function examine(claim: ToolClaim, lists: ToolLists, name: string): Promise<Outcome> {
  const { server, tool, args } = claim;
  if (isOpen(tool) || isOpen(server.target) || server.stdio?.some(isOpen))
    return 'the tool or its server is only known when the step runs';
  const offered = await lists(server);
  return typeof offered === 'string' ? offered : judgeTool(claim, String(tool), args, offered, name);
}

export function judgeTool(
  { place }: Claim,
  tool: string,
  args: unknown,
  tools: OfferedTools,
  server: string,
): Outcome {
  if (!tools.has(tool)) {
    const text = `${server} offers no tool \`${tool}\``;
    return [liveFinding('unknown-tool', place, text, insteadOf(tool, [...tools.keys()]))];
  }
  const violation = judgeAgainstSchema(tools.get(tool), args ?? {}, isOpen);
  if (!violation) return [];
  const text = `\`${tool}\` of ${server} does not take these arguments: ${violation.what.replaceAll('$', 'args')}`;
  const next =
    'give the arguments that its `inputSchema` asks for; if a refusal is intended, expect it, or say so: `lint: { allow: [tool-arguments], because: … }`';
  return [liveFinding('tool-arguments', place, text, next)];
}

function insteadOf(tool: string, names: readonly string[]): string {
  if (names.length === 0) return 'it offers no tools';
  const next = `${listed('it offers', names)}; if this is intended, say so: \`lint: { allow: [unknown-tool], because: … }\``;
  return didYouMean(tool, names, next);
}
