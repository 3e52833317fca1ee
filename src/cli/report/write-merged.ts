/** `report SHARD…`: several runs as one, with the reports of it in a folder of their own. */
import path from 'node:path';
import type { Merged } from '../../campaigns/report/merge-shards.ts';
import type { RunVerdict } from '../../checks/verdict.ts';
import type { Call } from '../call/verb.ts';
import { failureOf, reportName, writeReportHtml } from './write-report-html.ts';
import { writeClearedReports } from './write-reports.ts';

/** Returns the problem of the page, if there is one: the other reports do not need it. */
export async function writeMerged(folder: string, { verdict, sources, sourceOf }: Merged): Promise<unknown> {
  const written = withFolders(verdict, sourceOf, folder);
  const startedAt = Math.min(...sources.map(({ plan }) => Date.parse(plan.startedAt)));
  const times = { startedAt, stoppedAt: startedAt + verdict.durationMs };
  let failure: unknown;
  await writeClearedReports(folder, written, times, async () => {
    failure = await failureOf(() =>
      writeReportHtml(path.join(folder, reportName), { sources, verdict, sourceOf }),
    );
  });
  return failure;
}

/** The evidence of each trial, as seen from a folder. */
export function withFolders(verdict: RunVerdict, sourceOf: Merged['sourceOf'], from: string): RunVerdict {
  return {
    ...verdict,
    trials: verdict.trials.map((trial) => {
      const source = sourceOf(trial.id);
      if (!source || trial.folder === null) return trial;
      return { ...trial, folder: path.relative(from, path.join(source.folder, trial.folder)) };
    }),
  };
}

export function describeMerged({ cwd }: Call, { sources }: Merged, folder: string): readonly string[] {
  const parts = sources.map(({ shard, plan }) => `${shard.index}/${shard.of} ${plan.run}`);
  return [`merged    ${parts.join(', ')}`, `written   ${path.relative(cwd, folder) || '.'}`];
}
