/** Cuts every journal of a stored run behind each of its lines, and in the middle of each, and reports where a verdict became better. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { judgeRun } from '../../src/campaigns/run/judge-run.ts';
import { betterIn } from './flip-bits.ts';

export interface Cuts {
  readonly cuts: number;
  /** File and byte, with the trial, or its check. */
  readonly better: readonly string[];
}

export async function cutJournals(run: string): Promise<Cuts> {
  const before = await judgeRun(run);
  const better: string[] = [];
  let cuts = 0;
  for (const file of readdirSync(run, { recursive: true, encoding: 'utf8' })) {
    if (!/^trials.*events\.ndjson$/.test(file)) continue;
    const content = readFileSync(path.join(run, file));
    for (const at of placesIn(content)) {
      cuts += 1;
      writeFileSync(path.join(run, file), content.subarray(0, at));
      const places = betterIn(before, await judgeRun(run)).map((name) => `${name}: ${file}, byte ${at}`);
      better.push(...places);
    }
    writeFileSync(path.join(run, file), content);
  }
  return { cuts, better };
}

/** The beginning and the middle of each line. */
function placesIn(content: Buffer): readonly number[] {
  const places: number[] = [];
  for (let from = 0; from < content.length; ) {
    const to = content.indexOf('\n', from) + 1 || content.length;
    places.push(from, (from + to) >> 1);
    from = to;
  }
  return places;
}
