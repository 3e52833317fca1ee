/** Tools that steps call, and their arguments, held against what the servers of the running system list. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import { nearest } from '../../../kernel/nearest.ts';
import { judgeAgainstSchema } from '../../../protocols/mcp/judge-against-schema.ts';
import { isOpen } from '../suite/literal-value.ts';
import type { Claim, ToolClaim } from './claims.ts';
import { type Examined, findingAt, openExamination } from './examined.ts';
import type { ToolLists } from './offered-tools.ts';

export async function examineTools(claims: readonly ToolClaim[], lists: ToolLists): Promise<Examined> {
  const examination = openExamination();
  for (const claim of claims.filter(({ isMeantToFail }) => !isMeantToFail))
    examination.note(`${serverName(claim)}: ${shownTool(claim)}`, await examine(claim, lists));
  return examination.examined('tools');
}

async function examine(claim: ToolClaim, lists: ToolLists): Promise<readonly LintFinding[] | string> {
  const { server, tool, args } = claim;
  if (isOpen(tool) || isOpen(server.target) || server.stdio?.some(isOpen))
    return 'the tool or its server is only known when the step is done';
  const offered = await lists.of(server);
  if (typeof offered === 'string') return offered;
  return judgeTool(claim, String(tool), args, offered.tools, serverName(claim));
}

function shownTool({ tool }: ToolClaim): string {
  return isOpen(tool) ? '${…}' : String(tool);
}

export function judgeTool(
  claim: Claim,
  tool: string,
  args: unknown,
  tools: ReadonlyMap<string, unknown>,
  server: string,
): readonly LintFinding[] {
  if (!tools.has(tool)) return [unknownTool(claim, tool, [...tools.keys()], server)];
  const violation = judgeAgainstSchema(tools.get(tool), args ?? {}, isOpen);
  if (!violation) return [];
  return [
    findingAt(claim, {
      kind: 'tool-arguments',
      text: `\`${tool}\` of ${server} does not take these arguments: ${violation.what.replaceAll('$', 'args')}`,
      why: 'the trial speaks of a tool as it was, or as it was thought to be; it tests a refusal and takes it for something else',
      next: 'give the arguments that its `inputSchema` asks for; where a refusal is meant, expect it, or say so: `lint: { allow: [tool-arguments], because: … }`',
    }),
  ];
}

const mostListed = 12;

export function unknownTool(
  claim: Claim,
  tool: string,
  names: readonly string[],
  server: string,
): LintFinding {
  const guess = nearest(tool, names);
  const more = names.length > mostListed ? ', …' : '';
  return findingAt(claim, {
    kind: 'unknown-tool',
    text: `${server} offers no tool \`${tool}\``,
    why: 'a trial about a tool that is not there tests nothing but the refusal',
    next: guess
      ? `did you mean \`${guess}\`?`
      : names.length === 0
        ? 'it offers none at all'
        : `it offers ${[...names].sort().slice(0, mostListed).join(', ')}${more}; where it is meant, say so: \`lint: { allow: [unknown-tool], because: … }\``,
  });
}

function serverName({ server }: ToolClaim): string {
  return server.target ?? server.stdio?.join(' ') ?? 'the server';
}
