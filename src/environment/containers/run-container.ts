/** Runs a program in a container: made once, started as often as its service is, and seen as a process is. */

import { constants } from 'node:os';
import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { waitFor, within } from '../../kernel/deadline.ts';
import { Problem } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';
import type { ProcessExit, RunningProcess } from '../processes/start-process.ts';
import type { ContainerHost } from './container-host.ts';
import {
  type ContainerState,
  inspectContainer,
  killContainer,
  pauseContainer,
  removeContainer,
  startContainer,
  waitForContainer,
} from './engine/container-calls.ts';
import { EngineRefusal } from './engine/engine-http.ts';
import { engineLimits } from './engine/engine-limits.ts';
import { engineProblem } from './engine/engine-problem.ts';
import { retried } from './engine/transient.ts';
import { followOutput } from './follow-output.ts';

/** A container that was made; its writable layer lives as long as it. */
export interface MadeContainer {
  readonly id: string;
  readonly name: string;
  readonly where: string;
  readonly logFile: string;
}

export interface StartedContainer {
  readonly running: RunningProcess;
  readonly state: ContainerState;
}

interface Needs {
  readonly clock: Clock;
  readonly containers: ContainerHost;
  readonly started: Set<RunningProcess>;
}

export async function runContainer(needs: Needs, made: MadeContainer): Promise<StartedContainer> {
  const { clock, containers, started } = needs;
  const { engine } = containers;
  const since = (clock.now() / 1_000).toFixed(3);
  try {
    await containers.inTurn(() => retried(clock, undefined, () => startContainer(engine, made.id)));
  } catch (error) {
    throw engineProblem(error, made.where);
  }
  const state = await inspectContainer(engine, made.id);
  if (state === undefined) throw removed(made);
  const running = watch(needs, made, state, since);
  started.add(running); // before anything else can fail, so that it will be ended
  void running.exited.then(() => started.delete(running));
  return { running, state };
}

function watch(
  { clock, containers: { engine } }: Needs,
  made: MadeContainer,
  state: ContainerState,
  since: string,
): RunningProcess {
  const { id, logFile } = made;
  let exit: ProcessExit | undefined;
  let isAsked = false;
  const printed = followOutput(engine, { id, hasTerminal: state.hasTerminal, since, logFile }).catch(
    () => undefined, // with the engine gone, the wait below says so
  );
  const exited = (async (): Promise<ProcessExit> => {
    const end = await awaitExit(made, { clock, engine, isAsked: () => isAsked });
    await within(clock, lastWordsMs, printed);
    exit = end;
    return end;
  })();
  let refusal = '';
  const kill = (signal: string): Promise<void> =>
    killContainer(engine, id, signal).catch((error: unknown) => {
      if (!(error instanceof EngineRefusal)) throw error;
      refusal = error.said;
    });
  return {
    pid: state.pid,
    exited,
    exit: () => exit,
    container: { id, name: made.name },
    freeze: (how) => pauseContainer(engine, id, how === 'pause' ? 'pause' : 'unpause').catch(refused),
    stop: async (signal, withinMs, forceStop) => {
      if (exit) return 'asked';
      isAsked = true;
      // What is paused gets no signal.
      await pauseContainer(engine, id, 'unpause').catch(refused);
      await kill(signal ?? state.stopSignal);
      const isGone = await waitFor(clock, { withinMs, firstMs: 2, mostMs: 25 }, () => {
        if (forceStop?.aborted) return false;
        return exit === undefined ? undefined : true;
      });
      if (isGone) return 'asked';
      await kill('SIGKILL');
      if (!exit && !(await within(clock, engineLimits.removalMs, exited))) throw cannotEnd(made, refusal);
      return 'killed';
    },
  };
}

/** What is left of its output when it has ended. */
const lastWordsMs = 2_000;

function refused(error: unknown): undefined {
  if (!(error instanceof EngineRefusal)) throw error;
}

interface ExitNeeds {
  readonly clock: Clock;
  readonly engine: ContainerHost['engine'];
  /** It was stopped by us. */
  readonly isAsked: () => boolean;
}

const removedByOthers: ProcessExit = { code: null, signal: 'somebody who removed its container' };

/** Who removes a container kills it first. */
async function isBeingRemoved(id: string, { clock, engine }: Omit<ExitNeeds, 'isAsked'>): Promise<boolean> {
  const gone = await waitFor(clock, { withinMs: removalBeginsMs }, async () =>
    (await inspectContainer(engine, id)) === undefined ? true : undefined,
  );
  return gone ?? false;
}

const removalBeginsMs = 500;

/** Also when it is removed by somebody else, or the engine is gone. */
async function awaitExit({ id }: MadeContainer, { clock, engine, isAsked }: ExitNeeds): Promise<ProcessExit> {
  const lostSince = { at: clock.monotonic() };
  for (;;) {
    try {
      const code = await waitForContainer(engine, id);
      const now = await inspectContainer(engine, id);
      if (now === undefined) return removedByOthers;
      if (!now.isRunning && !isAsked() && isKilled(code ?? now.exitCode)) {
        if (await isBeingRemoved(id, { clock, engine })) return removedByOthers;
      }
      if (!now.isRunning) return exitOf(code ?? now.exitCode, now);
      lostSince.at = clock.monotonic();
    } catch (error) {
      if (error instanceof EngineRefusal && error.status === 404) return removedByOthers;
      if (clock.monotonic() - lostSince.at > engineLimits.lostEngineMs)
        return { code: null, signal: `the loss of its engine (${errorCode(error) ?? String(error)})` };
    }
    await clock.sleep(engineLimits.healthEveryMs);
  }
}

/** An engine gives 128 and more for a signal, as a shell does. */
function isKilled(code: number): boolean {
  return code > 128;
}

function exitOf(code: number, { isOutOfMemory }: ContainerState): ProcessExit {
  if (isOutOfMemory) return { code: null, signal: 'a lack of memory (OOM)' };
  const signal = Object.entries(constants.signals).find(([, number]) => code === 128 + number)?.[0];
  return signal === undefined ? { code, signal: null } : { code: null, signal };
}

/** With its own volumes. Throws when it stays. */
export async function discardContainer(
  { clock, containers: { engine } }: Pick<Needs, 'clock' | 'containers'>,
  made: MadeContainer,
): Promise<void> {
  try {
    await retried(clock, undefined, () => removeContainer(engine, made.id));
  } catch (error) {
    throw engineProblem(error, made.where);
  }
}

function removed(made: MadeContainer): Problem {
  return new Problem({
    code: 'boot.process-exited',
    where: made.where,
    what: `its container ${path.basename(made.name)} was removed by somebody else`,
    allowed: 'containers of an environment that nobody but Shakedown removes',
    next: 'see what else works on this engine (docker events), and start again',
  });
}

function cannotEnd({ name }: MadeContainer, refusal: string): Problem {
  return new Problem({
    code: 'left.behind',
    where: 'teardown',
    what: `a container did not end after SIGKILL: ${name}${refusal && `; the engine says: ${refusal}`}`,
    allowed: 'containers that end when they are killed',
    next: `end it by hand: docker rm --force ${name}`,
  });
}
