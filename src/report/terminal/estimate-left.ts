/** How long the rest of a run will take, by earlier durations of the trials. Undefined if that would be a guess. */

export interface Remaining {
  /** In the order in which they will be started. */
  readonly waiting: readonly string[];
  readonly running: ReadonlyArray<{ readonly id: string; readonly ranMs: number }>;
  /** How long each trial took in an earlier run. */
  readonly earlierMs: ReadonlyMap<string, number>;
  /** How many are performed at a time. */
  readonly atOnce: number;
}

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
