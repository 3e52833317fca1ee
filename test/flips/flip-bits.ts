/** Flips single bits of a stored run, judges it, and reports where a verdict became better or judging broke. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { judgeRun } from '../../src/campaigns/run/judge-run.ts';
import type { RunVerdict, TrialVerdict } from '../../src/checks/verdict.ts';
import { problemsIn } from '../../src/kernel/problem.ts';

export interface Flips {
  readonly flips: number;
  /** The verdict, or its report, differs. */
  readonly noticed: number;
  /** File, byte and bit, with the trial. */
  readonly better: readonly string[];
  readonly crashed: readonly string[];
}

/** `random` gives numbers from 0 to 1. */
export async function flipBits(run: string, count: number, random: () => number): Promise<Flips> {
  const before = await judgeRun(run);
  const files = evidenceOf(run);
  const [better, crashed]: [string[], string[]] = [[], []];
  let noticed = 0;
  for (let flip = 0; flip < count; flip += 1) {
    const file = files[Math.floor(random() * files.length)] ?? '';
    const content = readFileSync(path.join(run, file));
    const bit = Math.floor(random() * content.length * 8);
    const place = `${file}, byte ${bit >> 3}, bit ${bit & 7}`;
    const damaged = Buffer.from(content);
    damaged.writeUInt8((content[bit >> 3] ?? 0) ^ (1 << (bit & 7)), bit >> 3);
    writeFileSync(path.join(run, file), damaged);
    const shown = await judgeRun(run).catch((error: unknown) => problemsIn(error)[0]?.code ?? '');
    writeFileSync(path.join(run, file), content);
    if (shown === 'shakedown.bug') crashed.push(place);
    else if (typeof shown !== 'string')
      better.push(...betterIn(before, shown).map((id) => `${id}: ${place}`));
    if (JSON.stringify(shown) !== JSON.stringify(before)) noticed += 1;
  }
  return { flips: count, noticed, better, crashed };
}

/** All that judging reads; what is empty cannot be damaged. */
function evidenceOf(run: string): readonly string[] {
  const names = readdirSync(run, { recursive: true, encoding: 'utf8' });
  return names.filter(
    (name) =>
      (/^(?:plan|outcome)\.json$/.test(name) ||
        /^trials.*(?:events\.ndjson|values\.seg|green\.json)$/.test(name)) &&
      readFileSync(path.join(run, name)).length > 0,
  );
}

/** Trials and checks that hold now and did not before, by their names. */
export function betterIn(before: RunVerdict, after: RunVerdict): readonly string[] {
  const better = before.trials.flatMap((trial) => {
    const now = after.trials.find(({ id }) => id === trial.id);
    if (!now) return after.exitCode === 0 && !isGreen(trial) ? [trial.id] : [];
    const checks = now.checks.filter(
      ({ id, verdict }) =>
        verdict === 'passed' && trial.checks.some((one) => one.id === id && one.verdict !== 'passed'),
    );
    const isBetter = isGreen(now) && !isGreen(trial);
    return [...(isBetter ? [trial.id] : []), ...checks.map(({ id }) => `${trial.id}/${id}`)];
  });
  return [...better, ...(after.exitCode === 0 && before.exitCode !== 0 ? ['the run'] : [])];
}

/** It does not fail the run. */
function isGreen({ verdict, quarantined, faults }: TrialVerdict): boolean {
  if (verdict === 'passed' || verdict === 'skipped') return true;
  return (verdict === 'expected-failure' || quarantined !== undefined) && faults.length === 0;
}
