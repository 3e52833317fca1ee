/** Boots the user's own system, runs the chosen trials, and takes it down. */
import path from 'node:path';
import { latestRunFolder, pointLatest } from '../../environment/run-folder.ts';
import { problemFromData, problemsIn } from '../../kernel/problem.ts';
import { selectTrials } from '../run/select-trials.ts';
import type { Host } from '../session/host.ts';
import type { Interrupts } from '../session/interrupts.ts';
import { identifyRun, openSession } from '../session/open-session.ts';
import { performRun, type RunReporter, type RunView } from '../session/perform-run.ts';
import { planRun } from '../session/plan-run.ts';
import type { LivePlan } from './live-plan.ts';
import type { LiveVisit } from './live-rows.ts';
import type { LoadedSuite } from './load-project.ts';

export interface Visitor {
  readonly host: Host;
  readonly suite: LoadedSuite;
  readonly interrupts: Interrupts;
  readonly writeReports: RunReporter['writeReports'];
}

export async function visitLive(
  visitor: Visitor,
  { visits }: LivePlan,
): Promise<LiveVisit & { readonly run?: string }> {
  const chosen = [...new Set(visits.flatMap(({ trial, obstacle }) => (obstacle ? [] : [trial])))];
  try {
    return chosen.length === 0 ? await bootOnly(visitor) : await perform(visitor, chosen);
  } catch (error) {
    return { bootMs: undefined, problems: problemsIn(error), leaks: [] };
  }
}

async function perform(
  { host, suite: { system, trials }, interrupts, writeReports }: Visitor,
  chosen: readonly string[],
): Promise<LiveVisit & { readonly run: string }> {
  const latest = latestRunFolder(system.folder);
  const selected = selectTrials(trials, { words: chosen, tags: [], cwd: host.cwd });
  const plan = await planRun(host, system, trials.length, selected, {
    ...identifyRun(host, system, {}),
    rounds: 1,
    shuffled: false,
    attached: false,
    isolation: undefined,
    answers: {},
    skips: 'allow',
  });
  let bootMs: number | undefined;
  const view: RunView = {
    ...silent,
    event: (event) => {
      if (event.type === 'environment.ready') bootMs ??= event.bootMs;
    },
  };
  const planned = { plan, trials: selected.trials, parallel: 1 };
  const end = await performRun(host, planned, interrupts, { openView: () => view, writeReports });
  // The user's own run stays the latest, for `judge`, `--last-failed` and others.
  if (latest !== undefined) pointLatest(system.folder, path.basename(latest));
  const { verdict } = end;
  const problems = end.problems.map(problemFromData);
  return { bootMs, problems, leaks: verdict.leaks, verdict, run: plan.run };
}

const silent: RunView = {
  event: () => undefined,
  started: () => undefined,
  ended: () => undefined,
  say: () => undefined,
  hold: async () => undefined,
  close: () => undefined,
};

async function bootOnly({ host, suite: { system }, interrupts }: Visitor): Promise<LiveVisit> {
  let bootMs: number | undefined;
  const session = await openSession(host, {
    system,
    identity: identifyRun(host, system, {}),
    interrupts,
    say: host.warn,
    onEvent: (event) => {
      if (event.type === 'environment.ready') bootMs = event.bootMs;
    },
  });
  const live = await session.open();
  const { problems, leaks } = await live.end('the doctor is done');
  return { bootMs, problems, leaks };
}
