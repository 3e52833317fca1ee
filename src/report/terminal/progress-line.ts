/** The line that changes while trials run: how many, their results, what is running, and how long it may take. */
import type { Verdict } from '../../checks/verdict.ts';
import { fitText, oneLine, widthOf } from './fit-text.ts';

export interface Progress {
  readonly total: number;
  /** Of the finished trials. */
  readonly counts: Readonly<Partial<Record<Verdict, number>>>;
  /** What is running, oldest first; `doing` is an edge or a step. */
  readonly running: ReadonlyArray<{ readonly id: string; readonly doing?: string }>;
  /** From `estimateLeft`. */
  readonly leftMs?: number | undefined;
}

const words: ReadonlyArray<readonly [verdict: Verdict, word: string]> = [
  ['passed', 'passed'],
  ['failed', 'failed'],
  ['unstable', 'unstable'],
  ['unknown', 'unknown'],
  ['expected-failure', 'failed as expected'],
  ['skipped', 'skipped'],
];

export function progressLine(progress: Progress, columns = 100): string {
  const { total, counts, leftMs } = progress;
  const done = words.reduce((sum, [verdict]) => sum + (counts[verdict] ?? 0), 0);
  const shown = words
    .filter(([verdict]) => verdict === 'passed' || (counts[verdict] ?? 0) > 0)
    .map(([verdict, word]) => `${word} ${counts[verdict] ?? 0}`);
  const begin = [`▸ ${done}/${total}`, ...shown].join('  ');
  const end = leftMs === undefined || leftMs <= 0 ? '' : `   about ${roughly(leftMs)} left`;
  const room = columns - widthOf(begin) - widthOf(end) - 2;
  const running = runningTexts(progress).find((text) => widthOf(text) <= room) ?? '';
  return fitText(`${begin}${running === '' ? '' : `  ${running}`}${end}`, columns);
}

/** From the most to the least detailed; the first that fits is used. */
function runningTexts({ running }: Progress): readonly string[] {
  const [first, ...others] = running;
  if (!first) return [];
  const name = oneLine(first.id);
  const doing = first.doing === undefined ? '' : ` (${oneLine(first.doing)})`;
  const rest = others.length === 0 ? '' : ` and ${others.length} more`;
  return [`running ${name}${doing}${rest}`, `running ${name}${rest}`, `running ${running.length}`];
}

/** No more exact than an estimate can be. */
function roughly(ms: number): string {
  const seconds = Math.max(1, Math.round(ms / 1_000));
  if (seconds < 60) return `${seconds} s`;
  const tens = Math.round(seconds / 10) * 10;
  if (tens < 600) return `${Math.floor(tens / 60)} m ${String(tens % 60).padStart(2, '0')} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60
    ? `${minutes} m`
    : `${Math.floor(minutes / 60)} h ${String(minutes % 60).padStart(2, '0')} m`;
}

interface Remaining {
  /** In the order in which they will be started. */
  readonly waiting: readonly string[];
  readonly running: ReadonlyArray<{ readonly id: string; readonly ranMs: number }>;
  /** How long each trial took in an earlier run. */
  readonly earlierMs: ReadonlyMap<string, number>;
  /** How many are performed at a time. */
  readonly atOnce: number;
}

/** How long the rest of a run will take, by earlier durations of the trials. Undefined if that would be a guess. */
export function estimateLeft({ waiting, running, earlierMs, atOnce }: Remaining): number | undefined {
  const known = [...waiting, ...running.map(({ id }) => id)].flatMap((id) => earlierMs.get(id) ?? []);
  if (known.length * 2 < waiting.length + running.length) return undefined;
  const usual = median(known);
  const lanes = running.map(({ id, ranMs }) => Math.max(0, (earlierMs.get(id) ?? usual) - ranMs));
  while (lanes.length < Math.max(1, atOnce)) lanes.push(0);
  for (const id of waiting) {
    const next = lanes.indexOf(Math.min(...lanes));
    lanes[next] = (lanes[next] ?? 0) + (earlierMs.get(id) ?? usual);
  }
  const leftMs = Math.max(...lanes);
  // A trial that already runs longer than ever before allows no estimate.
  return leftMs > 0 ? leftMs : undefined;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
