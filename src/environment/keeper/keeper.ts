/** The process that owns an environment: it boots it, holds it, answers for it, and takes it away. */
import { chmodSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { type Problem, problemsIn, problemToData } from '../../kernel/problem.ts';
import type { JournalEvent } from '../../journal/event.ts';
import { createRedactor, type Redactor } from '../../journal/redaction.ts';
import { type JournalWriter, openJournal } from '../../journal/writer.ts';
import { type HostPids, openHostPids } from '../containment/host-pids.ts';
import { type Ledger, openLedger } from '../containment/ledger.ts';
import { openProcessTable } from '../containment/process-table.ts';
import { createEnvironment, type Environment } from '../environment.ts';
import type { EnvironmentState } from '../environment-status.ts';
import type { Plan } from '../plan.ts';
import { worldProblem } from '../processes/world-problem.ts';
import { cacheFolder, journalFile, socketName } from '../run-folder.ts';
import { clearAway } from './clear-away.ts';
import { describeStatus } from './describe-status.ts';
import { createEventBacklog } from './event-backlog.ts';
import { serveKeeper } from './keeper-server.ts';
import { guardDescriptor, launcherDescriptor, watchLifeline } from './lifeline.ts';
import type { DownResult } from './messages.ts';
import { resolveKnown } from '../wiring/resolve.ts';
import { createLookup } from '../wiring/lookup.ts';
import { outside } from '../wiring/edges.ts';
import { disturbEdge } from './disturb-edge.ts';

export interface KeeperOptions {
  readonly plan: Plan;
  readonly clock: Clock;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  /** The outer number of the guard's process. */
  readonly guardPid: number;
}

/** Runs until the environment is gone; gives the exit code of the keeper's process. */
export async function keep({ plan, clock, hostEnv, guardPid }: KeeperOptions): Promise<number> {
  const hostPids = openHostPids(plan.containment === 'namespace');
  const ledger = openWorkspace(plan, hostPids, guardPid);
  const redactor = redactorFor(plan, hostEnv);
  const backlog = createEventBacklog();
  const finished = Promise.withResolvers<number>();
  const journal = openKeeperJournal(plan, clock, redactor, backlog.add, (error) =>
    queueMicrotask(() => void takeDown('the journal cannot be written', true, [error])),
  );
  let state: EnvironmentState = 'booting';
  const environment: Environment = createEnvironment({
    ...plan,
    label: plan.environment,
    cacheFolder: cacheFolder(plan.system.folder),
    hostEnv,
    clock,
    emit: journal.emit,
    ledger,
    hostPids,
    onDeath: (name, problem) => journal.emit({ type: 'node.failed', kind: 'service', name, problem: problemToData(problem) }),
  });

  let down: Promise<DownResult> | undefined;
  const takeDown = (because: string, hurry: boolean, errors: readonly unknown[] = []): Promise<DownResult> => {
    down ??= clearAway({ plan, clock, environment, journal, ledger, redactor, because, hurry, errors });
    state = state === 'failed' ? 'failed' : 'stopping';
    void down.then(async (result) => {
      await clock.sleep(0); // whoever asked hears the answer before the line is closed
      await server.close();
      journal.close();
      finished.resolve(result.leftBehind.length > 0 ? exitCodes.leftBehind : exitCodes.held);
    }, finished.reject);
    return down;
  };

  const lookup = createLookup(environment.context, { kind: 'job', name: outside }, undefined);
  const server = await serveKeeper(socketName, {
    subscribe: (_, client) => ({ missed: backlog.follow(client) }),
    status: () => describeStatus(environment.context, plan, state, { pid: hostPids.self, guardPid }),
    down: ({ because }) => takeDown(because, false),
    disturb: ({ from, to, rule }) => disturbEdge(environment.context, from, to, rule),
    resolve: ({ texts }) => ({ texts: texts.map((text) => resolveKnown(text, lookup)) }),
    commandStarted: ({ argv, process: identity }) => {
      ledger.write({ entry: 'command', process: identity });
      journal.emit({ type: 'command.started', argv, pid: identity.pid });
      return {};
    },
    commandEnded: ({ code, signal }) => {
      ledger.write({ entry: 'command-ended' });
      journal.emit({ type: 'command.exited', code, signal });
      return {};
    },
  });

  watchLifeline(launcherDescriptor, () => void takeDown('whoever started it is gone', true));
  watchLifeline(guardDescriptor, () => void takeDown('its guard is gone', true));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void takeDown(`the keeper got ${signal}`, false));
  process.on('SIGHUP', () => 'a closed terminal is told to us by the lifeline');

  journal.emit({
    type: 'environment.booting',
    nodes: environment.context.nodes.size,
    containment: plan.containment,
  });
  try {
    await environment.boot();
    state = 'ready';
    journal.emit({ type: 'environment.ready', bootMs: journal.at() });
  } catch (error) {
    if (!down) {
      state = 'failed';
      journal.emit({ type: 'environment.failed', problems: problemsIn(error).map(problemToData) });
      void takeDown('the boot failed', false);
    }
  }
  return finished.promise;
}

/** The disposable folder, with the ledger as the first thing in it. */
function openWorkspace(plan: Plan, hostPids: HostPids, guardPid: number): Ledger {
  mkdirSync(plan.workspace);
  chmodSync(plan.workspace, 0o755);
  const { environment, run, runFolder, bootId } = plan;
  const ledger = openLedger(plan.workspace);
  ledger.write({ entry: 'environment', environment, run, runFolder, bootId, uid: process.getuid?.() ?? -1 });
  const table = openProcessTable(process.platform, hostPids.outerProc);
  const ours = { cli: plan.launcher, keeper: table.identify(hostPids.self), guard: table.identify(guardPid) };
  for (const [role, identity] of Object.entries(ours)) {
    if (identity) ledger.write({ entry: 'ours', role: role as keyof typeof ours, process: identity });
  }
  return ledger;
}

function redactorFor(plan: Plan, hostEnv: Readonly<Record<string, string | undefined>>): Redactor {
  return createRedactor(Object.fromEntries(plan.system.secrets.map((name) => [name, hostEnv[name]])));
}

function openKeeperJournal(
  plan: Plan,
  clock: Clock,
  redactor: Redactor,
  listener: (event: JournalEvent) => void,
  onFailure: (problem: Problem | unknown) => void,
): JournalWriter {
  return openJournal({
    file: journalFile(plan.runFolder),
    clock,
    redactor,
    listener,
    onFailure: (error) => onFailure(worldProblem(error, `the run folder ${path.basename(plan.runFolder)}`)),
    header: {
      journal: 1,
      run: plan.run,
      environment: plan.environment,
      system: plan.system.name,
      seed: plan.seed,
      tool: plan.tool,
      startedAt: plan.startedAt,
    },
  });
}
