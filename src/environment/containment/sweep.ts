/** Removes what a crashed environment left: its processes, what it created elsewhere, its folder. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createRedactor, secretValues } from '../../journal/redaction.ts';
import type { Clock } from '../../kernel/clock.ts';
import { removeFile, writeFileBelow } from '../../kernel/folders/entries-below.ts';
import { orElse } from '../../kernel/or-else.ts';
import { problemsIn } from '../../kernel/problem.ts';
import type { OutsideThing } from '../../resources/resource.ts';
import { driverFor } from '../../resources/table/resource-drivers.ts';
import { hasContainers } from '../containers/has-containers.ts';
import { type Plan, withSecrets } from '../plan.ts';
import { placesOfCommands, redactLogs, redactPlaces } from '../redact-logs.ts';
import { socketName, sweptName } from '../run-folder.ts';
import { endStrays, processesOf } from '../strays.ts';
import { releaseUpLock } from '../up-lock.ts';
import { withResourceUrl } from '../wiring/resource-url.ts';
import { bootId } from './boot-id.ts';
import { removeContainers } from './containers.ts';
import { openHostPids } from './host-pids.ts';
import { type LedgerEntry, processesIn, readLedger, runningCommands, stoppedSweepers } from './ledger.ts';
import { memoryUseOf, removeSharedMemory, withMore } from './memory-segments.ts';
import { openProcessTable } from './process-table.ts';
import { findVariables } from './sealed-variables.ts';
import type { SweptEngines } from './sweep-engine.ts';
import { isWorkspaceName, removeWorkspace, workspaceName, workspaceObstacle } from './workspace.ts';

export interface Swept {
  readonly environment: string;
  readonly endedProcesses: number;
  readonly leftBehind: readonly string[];
}

interface FullySwept extends Swept {
  /** What is left, for files and logs: a service may have put a secret into a name. */
  readonly redacted: readonly string[];
}

export interface SweepOptions {
  readonly key?: string;
  /** This process is pid 1 of the environment's own namespace. In a container, any process may be pid 1. */
  readonly isInside?: boolean;
}

export async function sweep(
  plan: Plan,
  clock: Clock,
  ownEnv: Readonly<Record<string, string | undefined>>,
  { key, isInside = false }: SweepOptions = {},
): Promise<FullySwept> {
  const obstacle = workspaceObstacle(plan);
  if (obstacle !== undefined) return notOurs(plan, obstacle);
  const { variables: hostEnv, doubt } = findVariables(plan, key, ownEnv);
  const entries = readLedger(plan.workspace);
  const leftBehind: string[] = [];
  const sameBoot = entries.some((entry) => entry.entry === 'environment' && entry.bootId === bootId(clock));
  const written = sameBoot ? [...processesIn(entries), ...stoppedSweepers(entries, openProcessTable())] : [];
  const memory = memoryUseOf(sameBoot ? processesOf({ ...plan, alone: false, written }) : []);
  const processes = sameBoot
    ? await endStrays({ ...plan, clock, alone: false, written })
    : { ended: 0, pids: [], left: [], found: [] };
  leftBehind.push(...processes.left);
  if (sameBoot) {
    const all = withMore(memory, processes.pids);
    const { left, handed } = removeSharedMemory(plan, entries, all, { isInside });
    leftBehind.push(...left, ...handed.map(([inode]) => `shared memory ${inode}`));
  }
  const containers = await removeContainers({ ...plan, clock, entries, ended: processes.found });
  leftBehind.push(...containers.left);
  const atEngines = await sweepContainers(plan, clock, entries, hostEnv);
  leftBehind.push(...atEngines.left);
  for (const thing of thingsOutside(plan, entries))
    leftBehind.push(...(await takeBack(plan, thing, hostEnv, clock)));
  leftBehind.push(...(await afterwards('logs', () => redactOrEmpty(plan, entries, hostEnv, doubt))));
  leftBehind.push(...(await afterwards('lock', async () => releaseUpLock(plan.system.folder, plan.run))));
  // Processes outside cannot be reached from inside a namespace; a later command can reach them.
  if (isInside) {
    const table = openProcessTable(process.platform, openHostPids(true).outerProc);
    if (runningCommands(entries).length > 0) leftBehind.push('the command that was run beside it');
    if (stoppedSweepers(entries, table).length > 0) leftBehind.push('its guard, which is stopped');
  }
  // Socket and ledger stay as long as something is left, so that the next sweep finds it.
  if (leftBehind.length === 0) {
    removeFile(path.join(plan.runFolder, socketName));
    leftBehind.push(...(await removeWorkspace(plan)));
  }
  // The next sweep would not know more about them.
  leftBehind.push(...containers.doubtful, ...atEngines.unanswered);
  const redacted = withoutSecrets(leftBehind, plan, hostEnv, doubt);
  const swept = { environment: plan.environment, endedProcesses: processes.ended };
  const record = path.join(plan.runFolder, sweptName);
  const text = JSON.stringify({ ...swept, leftBehind: redacted });
  if (existsSync(plan.runFolder)) writeFileBelow(plan.runFolder, record, `${text}\n`, 0o600);
  return { ...swept, leftBehind, redacted };
}

function withoutSecrets(
  leftBehind: readonly string[],
  { system: { secrets } }: Plan,
  hostEnv: Readonly<Record<string, string | undefined>>,
  doubt: string | undefined,
): readonly string[] {
  if (secrets.length === 0) return leftBehind;
  if (doubt !== undefined) return leftBehind.map(() => `something that is not named here, because ${doubt}`);
  const redactor = createRedactor(secretValues(secrets, hostEnv));
  return leftBehind.map((entry) => redactor.redact(entry));
}

function notOurs({ environment, workspace }: Plan, obstacle: string): FullySwept {
  const leftBehind = [`folder ${workspace}: ${obstacle}`];
  return { environment, endedProcesses: 0, leftBehind, redacted: leftBehind };
}

/** A failed step does not prevent the next. */
async function afterwards(what: string, work: () => Promise<void>): Promise<readonly string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    return problemsIn(error).map((problem) => `${what}: ${problem.what}`);
  }
}

/** Without the workspace there is no record, but the label of the environment is on everything at the engine. */
async function sweepContainers(
  plan: Plan,
  clock: Clock,
  entries: readonly LedgerEntry[],
  hostEnv: Readonly<Record<string, string | undefined>>,
): Promise<SweptEngines> {
  const isUnrecorded = !existsSync(plan.workspace) && hasContainers(plan.system);
  if (!isUnrecorded && !entries.some(({ entry }) => entry === 'at-engine'))
    return { left: [], unanswered: [] };
  const { sweepEngines } = await import('./sweep-engine.ts');
  const { nameAtEngine } = await import('../containers/engine/names.ts');
  const { findEngineSocket } = await import('../containers/engine/engine-socket.ts');
  const assumed = (): LedgerEntry[] => {
    const socket = orElse(() => findEngineSocket(hostEnv), undefined);
    return socket === undefined
      ? []
      : [
          {
            entry: 'at-engine',
            socket,
            what: 'network',
            name: nameAtEngine(plan.environment, 'plain'),
            isAnswered: true,
          },
        ];
  };
  const known = isUnrecorded ? assumed() : entries;
  return sweepEngines({ ...plan, clock, entries: known, isAfterCrash: true });
}

/** Without the workspace there is no record, but on the user's servers the names are unique to the environment. */
function thingsOutside(plan: Plan, entries: readonly LedgerEntry[]): readonly OutsideThing[] {
  const { environment, workspace, system } = plan;
  if (existsSync(workspace) || !isWorkspaceName(workspaceName(environment)))
    return entries.flatMap((entry) => (entry.entry === 'outside' ? [entry.thing] : []));
  return system.resources.flatMap((spec): OutsideThing[] =>
    (spec.kind === 'postgres' || spec.kind === 'redis') && spec.url !== undefined
      ? [{ kind: spec.kind, resource: spec.name, databases: [], roles: [], environment }]
      : [],
  );
}

async function takeBack(
  plan: Plan,
  thing: OutsideThing,
  hostEnv: Readonly<Record<string, string | undefined>>,
  clock: Clock,
): Promise<readonly string[]> {
  const spec = withSecrets(plan, hostEnv).system.resources.find(({ name }) => name === thing.resource);
  if (!spec) return [];
  try {
    const driver = await driverFor(spec);
    await driver.sweep(thing, withResourceUrl(spec, hostEnv), hostEnv, clock);
    return [];
  } catch (error) {
    return [`${thing.kind} ${thing.databases.join(', ') || thing.resource}: ${problemsIn(error)[0]?.what}`];
  }
}

/** A log that cannot be redacted, because the secrets are unknown here, is removed. */
async function redactOrEmpty(
  { runFolder, system: { secrets } }: Plan,
  entries: readonly LedgerEntry[],
  hostEnv: Readonly<Record<string, string | undefined>>,
  doubt: string | undefined,
): Promise<void> {
  if (secrets.length === 0) return;
  const redactor = createRedactor(secretValues(secrets, hostEnv));
  const instead = doubt && `(removed after a crash: ${doubt}, so secrets could not be redacted)\n`;
  await redactLogs(runFolder, redactor, instead);
  await redactPlaces(placesOfCommands(entries, runFolder), redactor, instead);
}
