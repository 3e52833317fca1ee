/** Tools that the scripts of models call, held against what the calling service offers to its model. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import { outside } from '../../../environment/wiring/edges.ts';
import { nearest } from '../../../kernel/nearest.ts';
import type { System } from '../../../system/system.ts';
import { knownEdges } from '../../../trials/known-edges.ts';
import type { ScriptClaim, ToolClaim } from './claims.ts';
import { judgeTool } from './examine-tools.ts';
import { type Examined, openExamination } from './examined.ts';
import type { ToolLists } from './offered-tools.ts';
import type { StoredRun } from './stored-run.ts';

export interface ScriptEvidence {
  readonly system: System;
  readonly lists: ToolLists;
  /** Servers that trials name, by which their services are known to be such. */
  readonly tools: readonly ToolClaim[];
  readonly run: StoredRun | undefined;
}

export async function examineScripts(
  claims: readonly ScriptClaim[],
  evidence: ScriptEvidence,
): Promise<Examined> {
  const examination = openExamination();
  for (const claim of claims)
    examination.note(`${claim.caller} -> ${claim.model}: ${claim.tool}`, await examine(claim, evidence));
  return examination.examined('tools in scripts of models');
}

/** What was offered to the model says most; what the servers behind the service list now is the next best. */
async function examine(
  claim: ScriptClaim,
  { system, lists, tools, run }: ScriptEvidence,
): Promise<readonly LintFinding[] | string> {
  const callers = callersOf(claim, system);
  const recorded = merged(callers.map((caller) => run?.offered.get(`${caller} -> ${claim.model}`)));
  const servers = reachable(callers, system, run);
  const listed = new Map<string, unknown>();
  for (const server of servers)
    for (const [name, schema] of await listOf(server, tools, lists, run)) listed.set(name, schema);
  const args = claim.args;
  if (recorded.has(claim.tool)) return judgeTool(claim, claim.tool, args, recorded, nameOf(claim));
  if (listed.has(claim.tool)) return judgeTool(claim, claim.tool, args, listed, nameOf(claim));
  const isAll = !callers.some((caller) => run?.moreOffered.has(`${caller} -> ${claim.model}`));
  if (recorded.size > 0 && isAll) {
    const all = new Map([...listed, ...recorded]);
    return judgeTool(claim, claim.tool, args, all, `${nameOf(claim)}, as of run ${run?.id},`);
  }
  // A service may offer tools of its own beside those of its servers: only a near miss is known to be one.
  if (nearest(claim.tool, [...listed.keys()]) !== undefined)
    return judgeTool(claim, claim.tool, args, listed, nameOf(claim));
  if (!isAll) return `\`${claim.model}\` was offered more than the requests of run ${run?.id} name`;
  return run
    ? `in run ${run.id} nothing was offered to \`${claim.model}\` by ${nameOf(claim)}; run its trials first`
    : 'no run is stored that would show what is offered to the model: shakedown run';
}

function nameOf({ caller }: ScriptClaim): string {
  return caller === '*' ? 'whoever calls the model' : caller;
}

/** Those that a line may be told to. */
function callersOf({ caller, model }: ScriptClaim, system: System): readonly string[] {
  if (caller !== '*') return [caller];
  return edgesOf(system)
    .filter(({ to }) => to === model)
    .map(({ from }) => from);
}

/** Whatever the caller refers to, and whoever calls it: a gateway offers what was offered to it. */
function reachable(
  callers: readonly string[],
  system: System,
  run: StoredRun | undefined,
): readonly string[] {
  const edges = edgesOf(system).filter(({ from }) => from !== outside);
  const asking = new Set(callers);
  for (const one of asking) for (const { from, to } of edges) if (to === one) asking.add(from);
  const declared = edges.filter(({ from }) => asking.has(from)).map(({ to }) => to);
  const recorded = [...asking].flatMap((one) => [...(run?.toolServers.get(one) ?? [])]);
  return [...new Set([...declared, ...recorded])];
}

/** Only what is known to be a server of tools is asked: others might take it for something else. */
async function listOf(
  service: string,
  tools: readonly ToolClaim[],
  lists: ToolLists,
  run: StoredRun | undefined,
): Promise<ReadonlyMap<string, unknown>> {
  const named = tools.find(({ server }) => server.target?.split('.')[0] === service)?.server;
  const wasCalled = [...(run?.toolServers.values() ?? [])].some((servers) => servers.has(service));
  if (!named && !wasCalled) return new Map();
  const offered = await lists.of(named ?? { target: service, folder: '.' });
  return typeof offered === 'string' ? new Map() : offered.tools;
}

function merged(maps: readonly (ReadonlyMap<string, unknown> | undefined)[]): ReadonlyMap<string, unknown> {
  return new Map(maps.flatMap((map) => [...(map ?? [])]));
}

function edgesOf(system: System): readonly { readonly from: string; readonly to: string }[] {
  return knownEdges(system).map((edge) => {
    const [from = '', to = ''] = edge.split(' -> ');
    return { from, to };
  });
}
