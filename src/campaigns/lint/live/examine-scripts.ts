/** Compares the tools that scripts of models call with what the calling service offers to its model. */
import { outside } from '../../../environment/wiring/edges.ts';
import { nearest } from '../../../kernel/nearest.ts';
import { reachedFrom } from '../../../kernel/reached-from.ts';
import type { System } from '../../../system/system.ts';
import { knownEdges } from '../../../trials/known-edges.ts';
import type { ScriptClaim, ToolClaim } from './claims.ts';
import { judgeTool, type OfferedTools, type ToolLists } from './examine-tools.ts';
import { type Examined, type Outcome, openExamination } from './examined.ts';
import type { StoredRun } from './stored-run.ts';

interface ScriptEvidence {
  readonly system: System;
  readonly lists: ToolLists;
  /** Servers that trials name: their services are known to be tool servers. */
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

/** The tools offered to the model are the best evidence, then those that the servers behind the service list now. */
async function examine(claim: ScriptClaim, { system, lists, tools, run }: ScriptEvidence): Promise<Outcome> {
  const callers = callersOf(claim, system);
  const recorded: OfferedTools = new Map(
    callers.flatMap((caller) => [...(run?.offered.get(`${caller} -> ${claim.model}`) ?? [])]),
  );
  const listed = new Map<string, unknown>();
  for (const server of reachable(callers, system, run))
    for (const [name, schema] of await listOf(server, tools, lists, run)) listed.set(name, schema);
  const judge = (known: OfferedTools, server = nameOf(claim)): Outcome =>
    judgeTool(claim, claim.tool, claim.args, known, server);
  if (recorded.has(claim.tool)) return judge(recorded);
  if (listed.has(claim.tool)) return judge(listed);
  const isAll = !callers.some((caller) => run?.moreOffered.has(`${caller} -> ${claim.model}`));
  if (recorded.size > 0 && isAll)
    return judge(new Map([...listed, ...recorded]), `${nameOf(claim)}, as of run ${run?.id},`);
  // A service may offer tools of its own beside those of its servers: only a near miss is certainly wrong.
  if (nearest(claim.tool, [...listed.keys()]) !== undefined) return judge(listed);
  if (!isAll) return `\`${claim.model}\` was offered more than the requests of run ${run?.id} name`;
  return run
    ? `in run ${run.id} nothing was offered to \`${claim.model}\` by ${nameOf(claim)}; run its trials first`
    : 'no run is stored that would show what is offered to the model: shakedown run';
}

function nameOf({ caller }: ScriptClaim): string {
  return caller === '*' ? 'any caller of the model' : caller;
}

/** The services that may receive a script line. */
function callersOf({ caller, model }: ScriptClaim, system: System): readonly string[] {
  if (caller !== '*') return [caller];
  return edgesOf(system)
    .filter(({ to }) => to === model)
    .map(({ from }) => from);
}

/** All services that the caller refers to, and the callers of it: a gateway offers what was offered to it. */
function reachable(
  callers: readonly string[],
  system: System,
  run: StoredRun | undefined,
): readonly string[] {
  const edges = edgesOf(system).filter(({ from }) => from !== outside);
  const asking = reachedFrom(callers, (one) => edges.flatMap(({ from, to }) => (to === one ? [from] : [])));
  const declared = edges.filter(({ from }) => asking.has(from)).map(({ to }) => to);
  const recorded = [...asking].flatMap((one) => [...(run?.toolServers.get(one) ?? [])]);
  return [...new Set([...declared, ...recorded])];
}

/** Only known tool servers are asked: other services might misinterpret the request. */
async function listOf(
  service: string,
  tools: readonly ToolClaim[],
  lists: ToolLists,
  run: StoredRun | undefined,
): Promise<OfferedTools> {
  const named = tools.find(({ server }) => server.target?.split('.')[0] === service)?.server;
  const wasCalled = [...(run?.toolServers.values() ?? [])].some((servers) => servers.has(service));
  if (!named && !wasCalled) return new Map();
  const offered = await lists(named ?? { target: service, folder: '.' });
  return typeof offered === 'string' ? new Map() : offered;
}

function edgesOf(system: System): readonly { readonly from: string; readonly to: string }[] {
  return knownEdges(system).map((edge) => {
    const [from = '', to = ''] = edge.split(' -> ');
    return { from, to };
  });
}
