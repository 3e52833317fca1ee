/** Puts a stored run to the test offline, and compares what cannot fail with the baseline. */

import { stat } from 'node:fs/promises';
import type { TrialRecord } from '../../checks/trial-record.ts';
import { counted } from '../../kernel/counted.ts';
import { defined } from '../../kernel/defined.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { problemsIn } from '../../kernel/problem.ts';
import { trialHash } from '../../requirements/trial-hash.ts';
import { openFlowReplay } from '../../trials/flow/replay-flow.ts';
import { loadTrials } from '../../trials/load/load-trials.ts';
import { readRunPlan } from '../run/run-plan.ts';
import { findRun } from '../session/find-run.ts';
import type { Host } from '../session/host.ts';
import { configFile, openSystem, systemFolder } from '../session/open-system.ts';
import { type BaselineChange, readBaseline, settleBaseline } from './baseline-file.ts';
import { earlierAttempts } from './earlier-attempts.ts';
import { atTheEnds } from './ends-of-checks.ts';
import { byWeight } from './exposure.ts';
import { lostChecks } from './lost-checks.ts';
import { readSources } from './read-sources.ts';
import { type Sabotaged, sabotageRun, withoutCase } from './sabotage-run.ts';
import { likePath } from './walk-places.ts';

export type SabotagedRun = Awaited<ReturnType<typeof sabotageStored>>;

export async function sabotageStored(host: Host, run: string, change: BaselineChange) {
  const folder = await findRun(host, run);
  const { whyNot, ids, replay, sources } = await suiteNow(host, folder);
  const earlier = await earlierAttempts(
    folder,
    readRunPlan(folder).trials.map(({ id }) => id),
  );
  const other = (id: string) => {
    const view = earlier.get(id)?.view;
    return view && whyNot(view.record) === undefined ? view : undefined;
  };
  const judged = await sabotageRun(folder, defined({ whyNot, suite: ids, replay, sources, other }));
  const found = [...lostChecks(judged, earlier), ...judged.exposures].sort(byWeight);
  const exposures = await atTheEnds(found, await systemFolder(host).catch(() => folder));
  const sabotaged = { ...judged, exposures };
  const isJudged = ({ trial }: { readonly trial: string }): boolean =>
    sabotaged.trials.some(({ id }) => isOf(id, trial)) ||
    (ids !== undefined && ![...ids].some((id) => isOf(id, trial)));
  const baseline = await readBaseline(await systemFolder(host));
  const held = await settleBaseline(baseline, 'offline', vacuousChecks(sabotaged), change, isJudged);
  const isSound = sabotaged.checks > 0 && !sabotaged.notJudged.some(({ code }) => code === 'outdated');
  const isHonest = isSound && held.open.length === 0 && held.stale.length === 0;
  return { sabotaged, ...held, exitCode: isHonest ? exitCodes.held : exitCodes.dishonest };
}

/** The most severe, each place of an endpoint once for the whole suite; without the names of cases. */
export function mostSevere(exposures: Sabotaged['exposures'], most: number): Sabotaged['exposures'] {
  const groups = Map.groupBy(exposures, ({ endpoint, path, lost = '' }) =>
    JSON.stringify([endpoint, likePath(path), lost]),
  );
  return [...groups.values()]
    .flatMap((some) => {
      const first = some.find(({ check }) => check !== '') ?? some[0];
      const trials = new Set(some.map(({ trial }) => withoutCase(trial)));
      if (!first) return [];
      const again = trials.size > 1 ? `; the same in ${counted(trials.size - 1, 'other trial')}` : '';
      return [{ ...first, trial: withoutCase(first.trial), text: `${first.text}${again}` }];
    })
    .sort(byWeight)
    .slice(0, most);
}

/** A trial, or one of its cases. */
function isOf(id: string, trial: string): boolean {
  return id === trial || id.startsWith(`${trial}[`);
}

interface VacuousCheck {
  readonly trial: string;
  readonly check: string;
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  readonly why: string;
}

/** The checks of a sabotaged run that cannot fail, once for all cases of a trial. */
function vacuousChecks({ trials }: Sabotaged): readonly VacuousCheck[] {
  const found = new Map<string, VacuousCheck | 'vital'>();
  for (const { id, file, checks } of trials)
    for (const { id: check, line, vital, kind, why } of checks) {
      const trial = withoutCase(id);
      const name = JSON.stringify([file, trial, check]);
      if (vital === null || found.get(name) === 'vital') continue;
      found.set(name, vital ? 'vital' : { trial, check, file, line, kind: kind ?? '', why: why ?? '' });
    }
  return [...found.values()].filter((one) => one !== 'vital');
}

/** A run folder without a config beside it is judged as it was run; an unreadable suite is an error. */
async function suiteNow(host: Host, run: string) {
  const folder = await systemFolder(host).catch(() => host.cwd);
  const trials = await openSystem(host)
    .then(loadTrials)
    .catch((error: unknown) => {
      if (problemsIn(error)[0]?.code === 'config.not-found') return 'there is no suite here' as const;
      throw error;
    });
  if (typeof trials === 'string') return { whyNot: () => undefined };
  const now = new Map(trials.map(({ record }) => [record.id, record]));
  const flows = new Map(trials.flatMap((trial) => (trial.flow ? [[trial.record.id, trial] as const] : [])));
  return {
    sources: await readSources(folder, await begunAt(run, await configFile(host))),
    replay: (id: string) => {
      const { file, flow } = flows.get(id) ?? {};
      const { env, clock } = host;
      return file && flow ? openFlowReplay({ file, index: flow.index, folder, env, clock }) : undefined;
    },
    /** Ids of all trials; undefined without a suite. */
    ids: new Set(now.keys()),
    /** Why the old evidence does not apply to the current suite; undefined when it does. */
    whyNot: (performed: TrialRecord) => {
      const record = now.get(performed.id);
      if (!record) return 'it is no longer in the suite';
      const isSame = trialHash(record) === trialHash(performed);
      return isSame ? undefined : `it was changed since the run; run it again: shakedown run ${performed.id}`;
    },
  };
}

/** Undefined where the project was copied after the run: then the times of its files say nothing. */
async function begunAt(run: string, config: string): Promise<number | undefined> {
  const began = Date.parse(readRunPlan(run).startedAt);
  const { mtimeMs } = await stat(config);
  return mtimeMs > began ? undefined : began;
}
