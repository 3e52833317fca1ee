/** Takes away what a crashed environment left: its processes, things it made elsewhere, its folder. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { createRedactor, secretValues } from '../../journal/redaction.ts';
import type { Clock } from '../../kernel/clock.ts';
import { removeFile, writeFileBelow } from '../../kernel/folders/entries-below.ts';
import { problemsIn } from '../../kernel/problem.ts';
import type { OutsideThing } from '../../resources/resource.ts';
import { driverFor } from '../../resources/resource-drivers.ts';
import { type Plan, withSecrets } from '../plan.ts';
import { placesOfCommands, redactLogs, redactPlaces } from '../redact-logs.ts';
import { socketName } from '../run-folder.ts';
import { endStrays, processesOf } from '../strays.ts';
import { releaseUpLock } from '../up-lock.ts';
import { withResourceUrl } from '../wiring/resource-url.ts';
import { bootId } from './boot-id.ts';
import { openHostPids } from './host-pids.ts';
import { type LedgerEntry, processesIn, readLedger, runningCommands, stoppedSweepers } from './ledger.ts';
import { memoryUseOf, removeSharedMemory, withMore } from './memory-segments.ts';
import { openProcessTable } from './process-table.ts';
import { findVariables } from './sealed-variables.ts';
import { isWorkspaceName, removeWorkspace, workspaceName, workspaceObstacle } from './workspace.ts';

export interface Swept {
  readonly environment: string;
  readonly endedProcesses: number;
  readonly leftBehind: readonly string[];
}

export interface SweepOptions {
  readonly key?: string;
  /** We are the first process of the environment's own namespace. In a container, anybody may be a first process. */
  readonly isInside?: boolean;
}

export async function sweep(
  plan: Plan,
  clock: Clock,
  ownEnv: Readonly<Record<string, string | undefined>>,
  { key, isInside = false }: SweepOptions = {},
): Promise<Swept> {
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
    : { ended: 0, pids: [], left: [] };
  leftBehind.push(...processes.left);
  if (sameBoot) {
    const all = withMore(memory, processes.pids);
    const { left, handed } = removeSharedMemory(plan, entries, all, { isInside });
    leftBehind.push(...left, ...handed.map(([inode]) => `shared memory ${inode}`));
  }
  for (const thing of thingsOutside(plan, entries))
    leftBehind.push(...(await takeBack(plan, thing, hostEnv)));
  leftBehind.push(...(await afterwards('logs', () => redactOrEmpty(plan, entries, hostEnv, doubt))));
  leftBehind.push(...(await afterwards('lock', async () => releaseUpLock(plan.system.folder, plan.run))));
  // From inside a namespace, who is outside of it cannot be reached; whoever comes next can.
  if (isInside) {
    const table = openProcessTable(process.platform, openHostPids(true).outerProc);
    if (runningCommands(entries).length > 0) leftBehind.push('the command that was run beside it');
    if (stoppedSweepers(entries, table).length > 0) leftBehind.push('its guard, which somebody stopped');
  }
  // As long as something is left, socket and ledger stay: by these the next sweep finds it.
  if (leftBehind.length === 0) {
    removeFile(path.join(plan.runFolder, socketName));
    leftBehind.push(...(await removeWorkspace(plan)));
  }
  const swept = { environment: plan.environment, endedProcesses: processes.ended, leftBehind };
  const record = path.join(plan.runFolder, 'swept.json');
  if (existsSync(plan.runFolder)) writeFileBelow(plan.runFolder, record, `${JSON.stringify(swept)}\n`, 0o600);
  return swept;
}

function notOurs({ environment, workspace }: Plan, obstacle: string): Swept {
  return { environment, endedProcesses: 0, leftBehind: [`folder ${workspace}: ${obstacle}`] };
}

/** One thing that cannot be done keeps nobody from the next. */
async function afterwards(what: string, work: () => Promise<void>): Promise<readonly string[]> {
  try {
    await work();
    return [];
  } catch (error) {
    return problemsIn(error).map((problem) => `${what}: ${problem.what}`);
  }
}

/** Without the workspace nobody knows what was made, but by their names on servers of the user's, which no other environment has. */
function thingsOutside(plan: Plan, entries: readonly LedgerEntry[]): readonly OutsideThing[] {
  const { environment, workspace, system } = plan;
  if (existsSync(workspace) || !isWorkspaceName(workspaceName(environment)))
    return entries.flatMap((entry) => (entry.entry === 'outside' ? [entry.thing] : []));
  return system.resources.flatMap((spec): OutsideThing[] =>
    spec.kind === 'postgres' && spec.url !== undefined
      ? [{ kind: spec.kind, resource: spec.name, databases: [], roles: [], environment }]
      : [],
  );
}

async function takeBack(
  plan: Plan,
  thing: OutsideThing,
  hostEnv: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const spec = withSecrets(plan, hostEnv).system.resources.find(({ name }) => name === thing.resource);
  if (!spec) return [];
  try {
    const driver = await driverFor(spec);
    await driver.sweep(thing, withResourceUrl(spec, hostEnv), hostEnv);
    return [];
  } catch (error) {
    return [`${thing.kind} ${thing.databases.join(', ') || thing.resource}: ${problemsIn(error)[0]?.what}`];
  }
}

/** A log whose secrets cannot be taken out, because nobody here knows them, does not stay. */
async function redactOrEmpty(
  { runFolder, system: { secrets } }: Plan,
  entries: readonly LedgerEntry[],
  hostEnv: Readonly<Record<string, string | undefined>>,
  doubt: string | undefined,
): Promise<void> {
  if (secrets.length === 0) return;
  const redactor = createRedactor(secretValues(secrets, hostEnv));
  const instead = doubt && `(removed after a crash: ${doubt}, and could not be taken out)\n`;
  await redactLogs(runFolder, redactor, instead);
  await redactPlaces(placesOfCommands(entries, runFolder), redactor, instead);
}
