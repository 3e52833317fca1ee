/** Compares trials and scripts with the running system: what they assume must exist, else it is reported. */
import type { LintFinding, NotKnown } from '../../../checks/lint-finding.ts';
import type { System } from '../../../system/system.ts';
import type { LiveEnvironment } from '../../../trials/perform/live-environment.ts';
import { configPlaces, type Suite } from '../suite/suite.ts';
import type { Claims, ScriptClaim } from './claims.ts';
import { examineEndpoints } from './examine-endpoints.ts';
import { examineScripts } from './examine-scripts.ts';
import { examineTables } from './examine-tables.ts';
import { examineTools, openToolLists } from './examine-tools.ts';
import { gatherClaims, toolsIn } from './gather-claims.ts';
import { lintLogAllowances } from './lint-log-allowances.ts';
import { type Looking, lookAt } from './looking.ts';
import { readStoredRun, type StoredRun } from './stored-run.ts';

export async function lintLive(
  environment: LiveEnvironment,
  { trials, modules }: Pick<Suite, 'trials' | 'modules'>,
  signal: AbortSignal,
) {
  const { system } = environment;
  const claims = gatherClaims(system, trials, modules);
  const run = await readStoredRun(system.folder);
  const scripts = [...claims.scripts, ...(await standingClaims(system))];
  const looked = await lookAt(environment, signal, (looking) => look(looking, { ...claims, scripts }, run));
  const logs = await lintLogAllowances(system, trials, run);
  return {
    findings: [...looked.findings, ...logs.findings],
    notKnown: [...looked.notKnown, ...flowsUnknown(claims), ...logs.notKnown],
    checked: looked.checked,
  };
}

async function look(looking: Looking, claims: Claims, run: StoredRun | undefined) {
  const { system, down } = looking;
  const lists = openToolLists(looking);
  const endpoints = await examineEndpoints(claims.endpoints, looking);
  const tools = await examineTools(claims.tools, lists);
  const tables = await examineTables(claims.tables, looking);
  const scripts = await examineScripts(claims.scripts, { system, lists, tools: claims.tools, run });
  const parts = [endpoints, tools, tables, scripts];
  return {
    findings: [...(await downFindings(looking)), ...parts.flatMap(({ findings }) => findings)],
    notKnown: parts.flatMap(({ notKnown }) => notKnown),
    /** How many of each were compared with the system. */
    checked: {
      services: system.services.length - down.size,
      endpoints: endpoints.checked,
      tools: tools.checked,
      scripts: scripts.checked,
      tables: tables.checked,
    },
  };
}

/** In a system owned by another process, a service may have died. */
async function downFindings({ down, system }: Looking): Promise<readonly LintFinding[]> {
  const inConfig = configPlaces(system);
  const reported = [...down].map(async ([name, state]): Promise<LintFinding> => {
    const roster = system.services.find((service) => service.name === name)?.roster;
    return {
      kind: 'silent-service',
      level: 'finding',
      ...(await inConfig(roster === undefined ? ['services', name] : ['rosters', roster])),
      text: `the service \`${name}\` is ${state}`,
      why: 'assumptions of trials about it cannot be verified',
      next: `look at its output: shakedown logs ${name}`,
    };
  });
  return Promise.all(reported);
}

/** Script lines that apply to every trial are in the config. */
async function standingClaims(system: System): Promise<readonly ScriptClaim[]> {
  const inConfig = configPlaces(system);
  const claims = system.resources.flatMap((resource) =>
    resource.kind === 'model'
      ? toolsIn(resource.name, resource.standing, (caller, index) =>
          inConfig(['resources', resource.name, 'standing', caller, index]),
        )
      : [],
  );
  return Promise.all(claims.map(async (claim) => ({ ...claim, place: await claim.place })));
}

function flowsUnknown({ openFlows }: Claims): readonly NotKnown[] {
  if (openFlows === 0) return [];
  const because = 'computed names are known only when they run';
  return [{ what: openFlows === 1 ? 'flow' : 'flows', count: openFlows, because }];
}
