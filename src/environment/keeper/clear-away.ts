/** The teardown: stops everything, kills strays, redacts logs, removes the workspace, and reports what is left. */
import type { StopCause } from '../../journal/event.ts';
import type { Redactor } from '../../journal/redaction.ts';
import type { JournalWriter } from '../../journal/writer.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { HeldFolder } from '../../kernel/folders/held-folder.ts';
import { type ProblemData, problemsIn, problemToData } from '../../kernel/problem.ts';
import { perhapsOurs, removeContainers } from '../containment/containers.ts';
import { openHostPids } from '../containment/host-pids.ts';
import {
  type Ledger,
  type LedgerEntry,
  processesIn,
  readLedger,
  runningCommands,
  stoppedSweepers,
  unansweredIn,
} from '../containment/ledger.ts';
import { memoryUseOf, removeSharedMemory, withMore } from '../containment/memory-segments.ts';
import { openProcessTable } from '../containment/process-table.ts';
import { bringBack, removeWorkspace } from '../containment/workspace.ts';
import type { Environment } from '../environment.ts';
import type { Plan } from '../plan.ts';
import { worldProblem } from '../processes/world-problem.ts';
import { placesOfCommands, redactLogs, redactPlaces } from '../redact-logs.ts';
import { endStrays, noteOwners, processesOf, type Strays } from '../strays.ts';
import { releaseUpLock } from '../up-lock.ts';
import type { DownResult } from './messages.ts';

export interface ClearAwayOptions {
  readonly plan: Plan;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly journal: JournalWriter;
  readonly ledger: Ledger;
  readonly workspace: HeldFolder;
  readonly redactor: Redactor;
  readonly cause: StopCause;
  readonly because: string;
  readonly forceStop: boolean;
  /** The errors that caused it, if any. */
  readonly errors: readonly unknown[];
}

export async function clearAway(options: ClearAwayOptions): Promise<DownResult> {
  const { plan, clock, environment, journal, ledger, cause, because, forceStop } = options;
  const problems: ProblemData[] = options.errors.flatMap(problemsIn).map(problemToData);
  const leftBehind: string[] = [];
  const attempt = async (step: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      for (const problem of problemsIn(worldProblem(error, `teardown, ${step}`)).map(problemToData)) {
        problems.push(problem);
        journal.emit({ type: 'teardown.failed', step, problem });
      }
    }
  };
  if (problems.length > 0) journal.emit({ type: 'environment.failed', problems: [...problems] });
  journal.emit({ type: 'environment.stopping', cause, because });
  const alone = plan.containment === 'namespace';
  let entries: readonly LedgerEntry[] = [];
  await attempt('workspace', async () => void bringBack(options.workspace, plan));
  await attempt('ledger', async () => {
    entries = readLedger(plan.workspace);
  });
  // In a namespace, the pids in the ledger are the outer ones.
  const search = { ...plan, clock, alone, written: alone ? [] : processesIn(entries) };
  const running = processesOf(search);
  let memory = memoryUseOf(running);
  await attempt('ledger', async () => noteOwners(running, ledger));
  const failures = await environment.stop({ forceStop });
  for (const { step, problem } of failures) {
    problems.push(problemToData(problem));
    journal.emit({ type: 'teardown.failed', step, problem: problemToData(problem) });
  }
  await attempt('strays', async () => {
    // Include what was running before: once services have ended, some of their children can no longer be attributed.
    const strays = await endStrays({ ...search, written: running });
    for (const commandLine of strays.found) journal.emit({ type: 'stray.ended', commandLine });
    memory = withMore(memory, strays.pids, environment.context.lastUses);
    await clearContainers(options, strays, leftBehind);
  });
  await attempt('workspace', async () => void leftBehind.push(...bringBack(options.workspace, plan)));
  // Objects on a user's server that may not have answered are found again through the ledger.
  let isForGuard =
    (failures.length > 0 || cause === 'boot-failed') && entries.some(({ entry }) => entry === 'outside');
  const outside = (): string => openHostPids(alone).outerProc ?? '/proc';
  await attempt('shared memory', async () => {
    const now = readLedger(plan.workspace);
    const { left, handed } = removeSharedMemory(plan, now, memory, { outside: outside(), isInside: alone });
    leftBehind.push(...left);
    for (const [inode, writes] of handed) ledger.write({ entry: 'memory', inode: `${inode}`, writes });
    isForGuard ||= handed.length > 0;
  });
  // The keeper's working folder is its run folder, even if the project was moved meanwhile.
  await attempt('logs', () => redactLogs('.', options.redactor));
  await attempt('ledger', async () => {
    const now = readLedger(plan.workspace);
    const commandRuns = runningCommands(now).length > 0;
    // A stopped guard would stay forever: the next command finds it through the ledger.
    const table = openProcessTable(process.platform, outside());
    isForGuard ||= commandRuns || stoppedSweepers(now, table).length > 0 || unansweredIn(now).length > 0;
    // The process that ends the command redacts its output.
    if (!commandRuns) await redactPlaces(placesOfCommands(now), options.redactor);
  });
  ledger.close();
  await attempt('lock', async () => releaseUpLock(plan.system.folder, plan.run));
  // Otherwise the guard or the next command finds through the ledger what is still left or out of reach.
  if (!isForGuard && leftBehind.length === 0)
    await attempt('workspace', async () => void leftBehind.push(...(await removeWorkspace(plan))));
  journal.emit({ type: 'environment.down', leftBehind });
  return { leftBehind, problems };
}

/** Those of strays, too. What is perhaps not ours is only named: for what is left behind, the workspace stays, and is swept again. */
async function clearContainers(
  { plan, clock, ledger }: ClearAwayOptions,
  strays: Strays,
  leftBehind: string[],
): Promise<void> {
  leftBehind.push(...strays.left);
  const entries = readLedger(plan.workspace);
  const { left, doubtful } = await removeContainers({ ...plan, clock, entries, ended: strays.found });
  leftBehind.push(...left);
  if (entries.some(({ entry }) => entry === 'at-engine')) {
    const { sweepEngines } = await import('../containment/sweep-engine.ts');
    const onMade = ledger.write;
    leftBehind.push(...(await sweepEngines({ ...plan, clock, entries, isAfterCrash: false, onMade })).left);
  }
  if (doubtful.length > 0) throw perhapsOurs('teardown', doubtful);
}
