/** The process that owns an environment: boots it, holds it, serves requests, and takes it down. */
import { existsSync, utimesSync } from 'node:fs';
import type { Clock } from '../../kernel/clock.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { problemsIn, problemToData } from '../../kernel/problem.ts';
import type { EnvironmentState } from '../environment-status.ts';
import { socketName } from '../run-folder.ts';
import { handlersFor } from './handlers.ts';
import { type KeeperOptions, type KeeperParts, openParts } from './keeper-parts.ts';
import { serveKeeper } from './keeper-server.ts';
import { makeToken, ownerSocket, tapSocket } from './keeper-socket.ts';
import { beat, guardDescriptor, openLifeline } from './lifeline.ts';
import { watchLogs } from './watch-logs.ts';
import { openWayDown, type WayDown } from './way-down.ts';

/** Runs until the environment is gone; returns the exit code of the keeper's process. */
export async function keep(options: KeeperOptions): Promise<number> {
  const wayDown = openWayDown(() => parts);
  const parts = openParts(options, (problem) =>
    // The journal may fail on its first line, before there is anything to take down.
    queueMicrotask(
      () =>
        void wayDown.take({
          cause: 'journal-failed',
          because: 'the journal cannot be written',
          forceStop: true,
          errors: [problem],
        }),
    ),
  );
  let state: EnvironmentState = 'booting';
  const stateNow = (): EnvironmentState => (wayDown.begun() && state !== 'failed' ? 'stopping' : state);
  const handlers = handlersFor(parts, wayDown, stateNow);
  const { stdioCall, stdioAsked, stdioMet } = handlers;
  const { runFolder, workspace } = options.plan;
  const { clock } = options;
  const taps = await serveKeeper({
    file: tapSocket(workspace),
    handlers: { stdioCall, stdioAsked, stdioMet },
    clock,
  });
  const server = await serveKeeper({
    file: ownerSocket(runFolder),
    handlers,
    token: makeToken(runFolder),
    clock,
  });
  listenForTheEnd(wayDown, options);
  watchOwnFolder(options.clock, wayDown);
  watchLogs(runFolder, clock, parts.journal.emit, wayDown.begun);
  state = await boot(parts, wayDown);
  const { leftBehind } = await wayDown.ended;
  await options.clock.sleep(0); // send the answer before the socket is closed
  await Promise.all([taps.close(), server.close()]);
  parts.journal.close();
  return leftBehind.length > 0 ? exitCodes.leftBehind : exitCodes.held;
}

/** Everything that ends the keeper takes the environment down first. */
function listenForTheEnd(wayDown: WayDown, { lifeline, clock }: KeeperOptions): void {
  const forceStop = true;
  lifeline.onCut(() => {
    beat(clock);
    void wayDown.take({ cause: 'launcher-gone', because: 'the process that started it is gone', forceStop });
  });
  openLifeline(guardDescriptor).onCut(
    () => void wayDown.take({ cause: 'guard-gone', because: 'its guard is gone', forceStop }),
  );
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => void wayDown.take({ cause: 'signal', because: `the keeper got ${signal}` }));
  }
  process.on('SIGHUP', () => 'a closed terminal is told to us by the lifeline');
}

async function boot(
  { environment, journal, plan }: KeeperParts,
  wayDown: WayDown,
): Promise<EnvironmentState> {
  journal.emit({
    type: 'environment.booting',
    nodes: environment.context.nodes.size,
    containment: plan.containment,
  });
  try {
    await environment.boot();
    journal.emit({ type: 'environment.ready', bootMs: journal.at() });
    return 'ready';
  } catch (error) {
    if (!wayDown.begun()) {
      journal.emit({ type: 'environment.failed', problems: problemsIn(error).map(problemToData) });
      void wayDown.take({ cause: 'boot-failed', because: 'the boot failed' });
    }
    return 'failed';
  }
}

/** Without its socket the keeper cannot be reached any more: the run folder was deleted or moved. */
function watchOwnFolder(clock: Clock, wayDown: WayDown): void {
  const look = (): void => {
    if (wayDown.begun()) return;
    if (isTouched(clock.now() / 1_000)) clock.after(2_000, look);
    else void wayDown.take({ cause: 'folder-gone', because: 'its run folder is gone' });
  };
  look();
}

/** The modification time of the socket shows other machines that the keeper is alive. */
function isTouched(now: number): boolean {
  try {
    utimesSync(socketName, now, now);
    return true;
  } catch {
    return existsSync(socketName);
  }
}
