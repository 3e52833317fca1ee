/** Trials and scripts held against the running system: what they take for granted is there, or is told with its place. */
import type { LintFinding, NotKnown } from '../../../checks/lint-finding.ts';
import type { System } from '../../../system/system.ts';
import type { Stage } from '../../../trials/perform/stage.ts';
import type { Trial } from '../../../trials/trial.ts';
import { configPlaces } from '../suite/config-findings.ts';
import type { SuiteModule } from '../suite/suite-modules.ts';
import type { Claims, ScriptClaim } from './claims.ts';
import { examineEndpoints } from './examine-endpoints.ts';
import { examineScripts } from './examine-scripts.ts';
import { examineTables } from './examine-tables.ts';
import { examineTools } from './examine-tools.ts';
import type { Examined } from './examined.ts';
import { callsIn, gatherClaims } from './gather-claims.ts';
import { type Looking, lookAt } from './looking.ts';
import { openToolLists } from './offered-tools.ts';
import { readStoredRun, type StoredRun } from './stored-run.ts';
import { idleAllowance, unusedLogAllowances } from './unused-log-allowances.ts';

export interface LiveLint {
  readonly findings: readonly LintFinding[];
  readonly notKnown: readonly NotKnown[];
  /** How many of each were held against the system. */
  readonly checked: Readonly<Record<'services' | 'endpoints' | 'tools' | 'scripts' | 'tables', number>>;
}

export async function lintLive(
  stage: Stage,
  trials: readonly Trial[],
  modules: readonly SuiteModule[],
  signal: AbortSignal,
): Promise<LiveLint> {
  const { system } = stage;
  const claims = gatherClaims(system, trials, modules);
  const run = await readStoredRun(system.folder);
  const scripts = [...claims.scripts, ...(await standingClaims(system))];
  const looked = await lookAt(stage, signal, (looking) => look(looking, { ...claims, scripts }, run));
  const logs = await lookAtLogs(system, trials, run);
  return {
    findings: [...looked.findings, ...logs.findings],
    notKnown: [...looked.notKnown, ...flowsUnknown(claims), ...logs.notKnown],
    checked: looked.checked,
  };
}

async function look(looking: Looking, claims: Claims, run: StoredRun | undefined): Promise<LiveLint> {
  const lists = openToolLists(looking);
  const endpoints = await examineEndpoints(claims.endpoints, looking);
  const tools = await examineTools(claims.tools, lists);
  const tables = await examineTables(claims.tables, looking);
  const scripts = await examineScripts(claims.scripts, {
    system: looking.system,
    lists,
    tools: claims.tools,
    run,
  });
  const parts: readonly Examined[] = [endpoints, tools, tables, scripts];
  return {
    findings: [...(await downFindings(looking)), ...parts.flatMap(({ findings }) => findings)],
    notKnown: parts.flatMap(({ notKnown }) => notKnown),
    checked: {
      services: looking.system.services.length - looking.down.size,
      endpoints: endpoints.checked,
      tools: tools.checked,
      scripts: scripts.checked,
      tables: tables.checked,
    },
  };
}

/** Of a system that somebody else holds, a part may have died. */
async function downFindings({ down, system }: Looking): Promise<readonly LintFinding[]> {
  const place = configPlaces(system);
  const told = [...down].map(async ([name, state]): Promise<LintFinding> => {
    const roster = system.services.find((service) => service.name === name)?.roster;
    return {
      kind: 'silent-service',
      level: 'finding',
      ...(await place(roster === undefined ? ['services', name] : ['rosters', roster])),
      text: `the service \`${name}\` is ${state}`,
      why: 'nothing that trials say of it can be held against it',
      next: `look at its output: shakedown logs ${name}`,
    };
  });
  return Promise.all(told);
}

/** Lines that hold in every trial stand in the config. */
async function standingClaims(system: System): Promise<readonly ScriptClaim[]> {
  const place = configPlaces(system);
  const lines = system.resources.flatMap((resource) =>
    resource.kind === 'model'
      ? Object.entries(resource.standing).flatMap(([caller, own]) =>
          own.map((line, index) => ({ model: resource.name, caller, line, index })),
        )
      : [],
  );
  const claims = lines.flatMap(({ model, caller, line, index }) =>
    callsIn(line).map(async ({ name, arguments: args }) => ({
      place: await place(['resources', model, 'standing', caller, index]),
      caller,
      model,
      tool: name,
      args,
    })),
  );
  return Promise.all(claims);
}

async function lookAtLogs(
  system: System,
  trials: readonly Trial[],
  run: StoredRun | undefined,
): Promise<Pick<LiveLint, 'findings' | 'notKnown'>> {
  const { findings, notKnown, idle } = unusedLogAllowances(system, trials, run);
  const place = configPlaces(system);
  const general = idle.map(async (index) => {
    const allowance = system.logs.allow?.[index];
    return allowance ? [idleAllowance(allowance, run?.id ?? '', await place(['logs', 'allow', index]))] : [];
  });
  return { findings: [...findings, ...(await Promise.all(general)).flat()], notKnown };
}

function flowsUnknown({ openFlows }: Claims): readonly NotKnown[] {
  if (openFlows === 0) return [];
  const because = 'beyond their plain words, what they ask for is known only when they run';
  return [{ what: openFlows === 1 ? 'flow' : 'flows', count: openFlows, because }];
}
