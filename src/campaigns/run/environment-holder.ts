/** Holds one environment for one worker: boots it when needed, renews it between trials, replaces it when broken. */
import type { RenewalLevel } from '../../environment/renewal/plan-renewal.ts';
import type { Renewed } from '../../environment/renewal/renew.ts';
import { type Problem, problemsIn } from '../../kernel/problem.ts';
import { unlessAborted } from '../../kernel/until-aborted.ts';
import type { Isolation } from '../../system/system.ts';
import type { LiveEnvironment } from '../../trials/perform/live-environment.ts';
import { type AfterATrial, type Aftermath, listenAfterTrials } from './after-a-trial.ts';
import type { OpenEnvironment } from './open-environment.ts';

export interface EnvironmentSource {
  /** A new environment, or the one that we are attached to. Rejects if there is none. */
  open(): Promise<OpenEnvironment>;
  /** What a trial gets after another has broken something. */
  readonly repair: 'fresh' | 'restart';
  /** Aborted when the run is interrupted: pending work is not awaited, and the environment is not used for a trial. */
  readonly signal: AbortSignal;
  /** It could not be renewed. A new one is opened after this, unless it throws. */
  onLost(problem: Problem | undefined): void;
  /** Services were slow to end, and another isolation would not have waited for them. */
  onSlowRestart?(slowest: NonNullable<Renewed['slowest']>): void;
}

export interface EnvironmentHolder {
  /** An environment for this isolation level. */
  prepare(isolation: Isolation): Promise<LiveEnvironment>;
  readonly recording: AfterATrial['recording'];
  /** A trial was performed; `broken` if it left the environment unfit for another. */
  used(broken: boolean, aftermath?: Aftermath): Promise<void>;
  end(): Promise<{ readonly leaks: readonly string[]; readonly problems: readonly Problem[] }>;
}

/** Longer than this is reported. */
const patienceMs = 500;

type Condition = 'new' | 'used' | 'broken';

export function createEnvironmentHolder(source: EnvironmentSource): EnvironmentHolder {
  const leaks: string[] = [];
  const problems: Problem[] = [];
  let live: OpenEnvironment | undefined;
  let condition: Condition = 'new';
  const after = listenAfterTrials((problem) => problems.push(problem));
  const open = async (): Promise<OpenEnvironment> => {
    const opened = await source.open();
    const onBroken = (): void => {
      if (live === opened) condition = 'broken';
    };
    opened.environment.onEvent(after.hears(onBroken));
    opened.environment.onGone(onBroken);
    condition = 'new';
    live = opened;
    return opened;
  };
  const letGo = async (because: string): Promise<void> => {
    await after.drain();
    const old = live;
    live = undefined;
    const end = await old?.end(because);
    leaks.push(...(end?.leaks ?? []));
    problems.push(...(end?.problems ?? []));
  };
  const renew = async ({ environment }: OpenEnvironment, level: RenewalLevel): Promise<void> => {
    condition = 'new';
    const renewed = await unlessAborted(source.signal, environment.ask('renew', { level }));
    if (renewed?.slowest && renewed.slowest.allMs > patienceMs) source.onSlowRestart?.(renewed.slowest);
  };
  return {
    recording: after.recording,
    prepare: async (isolation) => {
      await after.drain();
      const opened = live ?? (await open());
      const level = condition === 'broken' ? source.repair : isolation;
      if (condition === 'new' || level === 'shared') return opened.environment;
      try {
        await renew(opened, level);
        // What ended by itself meanwhile is started again; what does so every time is left to the trial.
        if (condition === 'broken' && !source.signal.aborted) await renew(opened, source.repair);
        return opened.environment;
      } catch (error) {
        // An environment that cannot be renewed is replaced; if that fails too, the system is broken.
        const [problem] = problemsIn(error);
        source.onLost(problem);
        // An unsupported renewal is not a fault of the system; a service that did not come up again is.
        if (problem && problem.family === 'system') problems.push(problem);
        await letGo(`it could not be renewed: ${problem?.what ?? String(error)}`);
        return (await open()).environment;
      }
    },
    used: async (broken, aftermath) => {
      after.begin(aftermath);
      const status = broken ? undefined : await live?.environment.ask('status', {}).catch(() => undefined); // the keeper is gone
      const down = status === undefined || status.services.some(({ state }) => state !== 'ready');
      if (broken || down) condition = 'broken';
      else if (condition === 'new') condition = 'used';
    },
    end: async () => {
      await letGo('the run is over');
      return { leaks, problems };
    },
  };
}
