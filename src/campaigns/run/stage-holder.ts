/** Holds one environment for one worker: boots it when it is needed, renews it between trials, replaces it when it is broken. */
import type { Renewed } from '../../environment/renewal/renew.ts';
import { type Problem, problemsIn } from '../../kernel/problem.ts';
import { unlessAborted } from '../../kernel/until-aborted.ts';
import type { Isolation } from '../../system/system.ts';
import type { Stage } from '../../trials/perform/stage.ts';
import { type Aftermath, listenAfterTrials } from './after-a-trial.ts';
import type { LiveStage } from './live-stage.ts';

export interface StageSource {
  /** A new environment, or the one that we are attached to. Rejects when it cannot be had. */
  open(): Promise<LiveStage>;
  /** What a trial gets after another has broken something. */
  readonly repair: 'fresh' | 'restart';
  /** Aborted when the run is interrupted: what is under way is not waited for, and is of no use to a trial. */
  readonly signal: AbortSignal;
  /** It could not be renewed. A new one is opened after this, unless it throws. */
  onLost(problem: Problem | undefined): void;
  /** Services took their time to end, and another isolation would not have waited for them. */
  onSlowRestart?(slowest: NonNullable<Renewed['slowest']>): void;
}

export interface StageHolder {
  /** An environment as this isolation demands it. */
  prepare(isolation: Isolation): Promise<Stage>;
  /** A trial was performed; `broken` when it is known to have left the environment unfit for another. */
  used(broken: boolean, aftermath?: Aftermath): Promise<void>;
  end(): Promise<{ readonly leaks: readonly string[]; readonly problems: readonly Problem[] }>;
}

/** Longer than this is worth a word. */
const patienceMs = 500;

type Condition = 'new' | 'used' | 'broken';

export function createStageHolder(source: StageSource): StageHolder {
  const leaks: string[] = [];
  const problems: Problem[] = [];
  let live: LiveStage | undefined;
  let condition: Condition = 'new';
  let deaths = 0;
  const after = listenAfterTrials((problem) => problems.push(problem));
  const open = async (): Promise<LiveStage> => {
    const opened = await source.open();
    opened.stage.onEvent((event) => {
      if (event.type !== 'node.exited' || event.expected) return;
      deaths += 1;
      after.died(event.name, event.signal ?? `exit code ${event.code}`);
    });
    opened.stage.onGone(() => {
      if (live === opened) condition = 'broken';
    });
    deaths = 0;
    condition = 'new';
    live = opened;
    return opened;
  };
  const letGo = async (because: string): Promise<void> => {
    await after.hearOut();
    const old = live;
    live = undefined;
    const end = await old?.end(because);
    leaks.push(...(end?.leaks ?? []));
    problems.push(...(end?.problems ?? []));
  };
  return {
    prepare: async (isolation) => {
      await after.hearOut();
      const { stage } = live ?? (await open());
      const level = condition === 'broken' ? source.repair : isolation;
      if (condition === 'new' || level === 'shared') return stage;
      try {
        const renewed = await unlessAborted(source.signal, stage.ask('renew', { level }));
        if (renewed?.slowest && renewed.slowest.allMs > patienceMs) source.onSlowRestart?.(renewed.slowest);
        deaths = 0;
        condition = 'new';
        return stage;
      } catch (error) {
        // What cannot be renewed is replaced; when that fails too, the system is conclusively broken.
        const [problem] = problemsIn(error);
        source.onLost(problem);
        // That it cannot be renewed at all is no fault of the system's; that it did not come up again is.
        if (problem && problem.family === 'system') problems.push(problem);
        await letGo(`it could not be renewed: ${problem?.what ?? String(error)}`);
        return (await open()).stage;
      }
    },
    used: async (broken, aftermath) => {
      after.begin(aftermath);
      const status = broken
        ? undefined
        : await live?.stage.ask('status', {}).catch(() => 'the keeper is gone' as const);
      const isThere = status !== undefined && status !== 'the keeper is gone';
      const down = !isThere || status.services.some(({ state }) => state !== 'ready');
      condition = broken || down || deaths > 0 ? 'broken' : 'used';
    },
    end: async () => {
      await letGo('the run is over');
      return { leaks, problems };
    },
  };
}
