/** Creates what a keeper needs before it boots: workspace and ledger, journal, and the environment itself. */

import path from 'node:path';
import { journalVersion } from '../../journal/event.ts';
import type { Redactor } from '../../journal/redaction.ts';
import { type JournalWriter, openJournal } from '../../journal/writer.ts';
import type { Clock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import { type HeldFolder, holdFolder } from '../../kernel/folders/held-folder.ts';
import { problemsIn, problemToData } from '../../kernel/problem.ts';
import { type HostPids, openHostPids } from '../containment/host-pids.ts';
import { type Ledger, openLedger } from '../containment/ledger.ts';
import { openProcessTable } from '../containment/process-table.ts';
import { sealVariables } from '../containment/sealed-variables.ts';
import { makeWorkspace } from '../containment/workspace.ts';
import { credentialMarker } from '../credential-marks.ts';
import { createEnvironment, type Environment } from '../environment.ts';
import { copyPlan, type Plan } from '../plan.ts';
import { worldProblem } from '../processes/world-problem.ts';
import { redactorFor } from '../redactor-for.ts';
import { cacheFolder, journalFile } from '../run-folder.ts';
import { createEventBacklog, type EventBacklog } from './event-backlog.ts';
import type { Lifeline } from './lifeline.ts';

export interface KeeperOptions {
  readonly plan: Plan;
  readonly clock: Clock;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  /** Shared with the guard. */
  readonly key: string;
  /** The outer pid of the guard. */
  readonly guardPid: number;
  /** Of the launcher. */
  readonly lifeline: Lifeline;
}

export interface KeeperParts {
  readonly plan: Plan;
  readonly clock: Clock;
  /** The outer pids of the keeper and of its guard. */
  readonly pids: { readonly pid: number; readonly guardPid: number };
  readonly ledger: Ledger;
  readonly redactor: Redactor;
  readonly backlog: EventBacklog;
  readonly journal: JournalWriter;
  /** Held by its descriptor, because a service may move it. */
  readonly workspace: HeldFolder;
  readonly environment: Environment;
}

/** `onJournalFailure` is called when the journal can no longer be written. */
export function openParts(options: KeeperOptions, onJournalFailure: (problem: unknown) => void): KeeperParts {
  const { plan, clock, hostEnv, guardPid } = options;
  const hostPids = openHostPids(plan.containment === 'namespace');
  const markOf = credentialMarker(plan.system.folder);
  const redactor = { ...redactorFor(plan.system, hostEnv), ...defined({ markOf }) };
  const backlog = createEventBacklog();
  const journal = openKeeperJournal(plan, clock, redactor, backlog, onJournalFailure);
  const ledger = explained(journal, plan, () => {
    const opened = openWorkspace(options, hostPids);
    sealVariables(plan, options.key, hostEnv);
    return opened;
  });
  const environment = createEnvironment({
    ...plan,
    label: plan.environment,
    cacheFolder: cacheFolder(plan.system.folder),
    hostEnv,
    clock,
    emit: journal.emit,
    at: journal.at,
    ledger,
    hostPids,
    onDeath: (node, problem) =>
      journal.emit({
        type: 'node.failed',
        kind: node.kind,
        name: node.name,
        problem: problemToData(problem),
      }),
  });
  return {
    workspace: holdFolder(plan.workspace),
    plan,
    clock,
    pids: { pid: hostPids.self, guardPid },
    ledger,
    redactor,
    backlog,
    journal,
    environment,
  };
}

/** There is no socket yet: the launcher reads in the journal why the keeper ends. */
function explained<T>(journal: JournalWriter, { workspace }: Plan, work: () => T): T {
  try {
    return work();
  } catch (error) {
    const problems = problemsIn(worldProblem(error, `the temporary folder ${path.dirname(workspace)}`));
    journal.emit({ type: 'environment.failed', problems: problems.map(problemToData) });
    journal.close();
    throw error;
  }
}

/** The disposable folder, with the ledger as the first thing in it. */
function openWorkspace({ plan, guardPid, clock }: KeeperOptions, hostPids: HostPids): Ledger {
  makeWorkspace(plan.workspace);
  const { environment, run, runFolder, bootId, place } = plan;
  const ledger = openLedger(plan.workspace, clock);
  const table = openProcessTable(process.platform, hostPids.outerProc);
  const identities = {
    cli: plan.launcher,
    keeper: table.identify(hostPids.self),
    init: hostPids.outerProc ? table.identify(table.parentOf(hostPids.self) ?? 0) : undefined,
    guard: table.identify(guardPid),
  };
  const ours = Object.entries(identities).flatMap(([role, identity]) =>
    identity ? [{ role: role as keyof typeof identities, process: identity }] : [],
  );
  const uid = process.getuid?.() ?? -1;
  ledger.write({ entry: 'environment', environment, run, runFolder, bootId, uid, place, ours });
  copyPlan(plan);
  return ledger;
}

function openKeeperJournal(
  plan: Plan,
  clock: Clock,
  redactor: Redactor,
  backlog: EventBacklog,
  onFailure: (problem: unknown) => void,
): JournalWriter {
  const { run, environment, seed, tool } = plan;
  const startedAt = new Date(clock.now()).toISOString();
  return openJournal({
    file: journalFile(plan.runFolder),
    clock,
    redactor,
    listener: backlog.add,
    onFailure: (error) => onFailure(worldProblem(error, `the run folder ${path.basename(plan.runFolder)}`)),
    header: { journal: journalVersion, run, environment, system: plan.system.name, seed, tool, startedAt },
  });
}
