/** One run from its plan to its verdict: environments, trials, judging, reports. */
import { existsSync } from 'node:fs';
import { judge } from '../../checks/judge/judge-attempt.ts';
import { judgedBadly, type RunTimes, type RunVerdict, type TrialVerdict } from '../../checks/verdict.ts';
import type { Containment } from '../../environment/containment/containment.ts';
import type { EnvironmentStatus } from '../../environment/environment-status.ts';
import type { JournalEvent } from '../../journal/event.ts';
import type { Redactor } from '../../journal/redaction.ts';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { readTrialJournal } from '../../journal/trial-journal.ts';
import type { Clock } from '../../kernel/clock.ts';
import { waitFor } from '../../kernel/deadline.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { Problem } from '../../kernel/problem.ts';
import type { LiveEnvironment } from '../../trials/perform/live-environment.ts';
import type { Trial } from '../../trials/trial.ts';
import type { EnvironmentSource } from '../run/environment-holder.ts';
import { attemptForDisplay, judgeRun } from '../run/judge-run.ts';
import { copyReferences, keepReferences, referenceOf } from '../run/reference-store.ts';
import { type RunPlan, writeOutcome, writeRunPlan } from '../run/run-plan.ts';
import { type RunListener, runTrials } from '../run/run-trials.ts';
import { lastVerdict } from './find-run.ts';
import type { Host } from './host.ts';
import type { Interrupts } from './interrupts.ts';
import { environmentsOf, openSession, type Session } from './open-session.ts';

export interface PlannedRun {
  readonly plan: RunPlan;
  readonly trials: readonly Trial[];
  readonly parallel: number;
  readonly containment?: Containment | undefined;
  readonly bail?: boolean;
  readonly debug?: boolean;
}

/** Shows a run while it is under way, and writes it down for other programs. */
export interface RunReporter {
  openView(start: RunStart): RunView;
  writeReports(folder: string, verdict: RunVerdict, times: RunTimes, redactor: Redactor): Promise<void>;
}

export interface RunStart {
  readonly plan: RunPlan;
  readonly parallel: number;
  /** How long an attempt at each trial took in an earlier run. */
  readonly earlierMs: ReadonlyMap<string, number>;
  /** Relative to the working folder. */
  readonly runFolder: string;
}

export interface RunView {
  event(event: JournalEvent): void;
  started(trial: string): void;
  ended(trial: string, attempt: ShownAttempt): void;
  say(text: string, tone?: 'dim'): void;
  /** Shows the environment that is held at a failure; resolves when the user has looked at it. */
  hold(text: string, status: EnvironmentStatus): Promise<void>;
  close(): void;
}

export interface ShownAttempt {
  /** Judged for display only; the run is judged as a whole at its end. */
  readonly verdict: TrialVerdict;
  readonly events: readonly AttemptEvent[];
  /** Trials that must pass, too: without them, its checks of absence end as unknown. */
  readonly twins: readonly string[];
}

export async function performRun(
  host: Host,
  planned: PlannedRun,
  interrupts: Interrupts,
  reporter: RunReporter,
) {
  const { plan, trials, parallel } = planned;
  const { system } = plan;
  const earlierMs = lastDurations(system.folder);
  let view: RunView | undefined;
  const session = await openSession(host, {
    system,
    identity: plan,
    interrupts,
    containment: planned.containment,
    attach: plan.attached,
    isLatest: true,
    writePlan: (folder, redactor) => {
      writeRunPlan(folder, plan, redactor);
      copyReferences(
        system.folder,
        folder,
        trials.map(({ record }) => record.id),
      );
    },
    say: (text) => view?.say(text),
    onEvent: (event) => view?.event(event),
  });
  const { folder, endings, redactor, startedAt } = session;
  view = reporter.openView({ plan, parallel, earlierMs, runFolder: session.shown });
  const explained = (error: unknown): never => {
    throw existsSync(folder) ? error : folderGone(session.shown, error);
  };
  const outcome = await runTrials({
    plan,
    folder,
    trials,
    parallel,
    clock: host.clock,
    signal: endings.signal,
    environments: environments(session, view),
    listener: listenerFor(session, planned, view, interrupts),
  })
    .finally(() => {
      view?.close();
      endings.stopListening();
    })
    .catch(explained);
  const conclude = async () => {
    const interruptedBy = endings.interruptedBy();
    writeOutcome(folder, { ...outcome, ...(interruptedBy ? { interruptedBy } : {}) }, redactor);
    const verdict = await judgeRun(folder);
    await keepReferences(system.folder, folder, verdict);
    await reporter.writeReports(folder, verdict, { startedAt, stoppedAt: host.clock.now() }, redactor);
    return { verdict, problems: outcome.problems, runFolder: session.shown };
  };
  return conclude().catch(explained);
}

function folderGone(shown: string, cause: unknown): Problem {
  return new Problem({
    code: 'world.not-writable',
    where: shown,
    what: 'the run folder was removed or moved while the run was under way',
    allowed: 'a run folder that stays until the run has ended',
    next: 'do not clean up `.shakedown` during a run, and run it again',
    cause,
  });
}

function lastDurations(systemFolder: string): ReadonlyMap<string, number> {
  const performed = (lastVerdict(systemFolder)?.trials ?? []).filter(({ attempts }) => attempts > 0);
  return new Map(performed.map(({ id, durationMs, attempts }) => [id, durationMs / attempts]));
}

function listenerFor(
  { host, folder: runFolder, endings }: Session,
  { plan, bail, debug }: PlannedRun,
  view: RunView,
  interrupts: Interrupts,
): RunListener {
  const hold = (what: string, { ask }: LiveEnvironment): Promise<void> =>
    endings.whileAsking(async () => {
      view.close();
      const text = `${what}\nthe environment is held (seed ${plan.seed})`;
      await Promise.race([view.hold(text, await ask('status', {})), interrupts.first]);
    });
  return {
    trialStarted: ({ record }) => view.started(record.id),
    trialEnded: async ({ record: { id } }, attempt, _ending, folder) => {
      const { events } = await readTrialJournal(folder);
      const judged = judge(events, undefined, referenceOf(runFolder, id));
      const verdict = attemptForDisplay(plan, id, attempt, judged);
      const absences = verdict.verdict === 'passed' ? judged.absences : [];
      const twins = [...new Set(absences.flatMap(({ provenBy }) => provenBy ?? []))];
      view.ended(id, { verdict, events, twins });
      return bail && judgedBadly(verdict.verdict) && !verdict.quarantined ? 'stop' : 'go-on';
    },
    ...(debug
      ? {
          stepFailed: async (trial, step, environment, folder) =>
            hold(`${trial.record.id}: ${await whyFailed(host.clock, folder, step)}`, environment),
          checksFailed: (trial, failed, environment) =>
            hold(`${trial.record.id}: ${failed} failed`, environment),
        }
      : {}),
  };
}

function environments(session: Session, view: RunView): EnvironmentSource {
  let isReported = false;
  return {
    ...environmentsOf(session, (text) => view.say(text, 'dim')),
    onSlowRestart: ({ service, allMs }) => {
      if (isReported) return;
      isReported = true;
      const took = `restart waited ${formatDuration(allMs)} for services to end, ${service} the longest`;
      view.say(`${took}; isolation: fresh ends them at once, and restores databases and folders too`, 'dim');
    },
  };
}

/** The journal is written with a little delay. */
async function whyFailed(clock: Clock, folder: string, step: string): Promise<string> {
  const judged = await waitFor(clock, { withinMs: 1_000 }, async () => {
    const { events } = await readTrialJournal(folder).catch(() => ({ events: [] }));
    const isWritten = events.some((event) => event.type === 'step.ended' && event.step === step);
    return isWritten ? judge(events) : undefined;
  });
  return judged?.cause?.text ?? `step ${step} failed`;
}
