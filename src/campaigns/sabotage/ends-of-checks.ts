/** Where a check can be pasted: after the last line of the last check of a trial, not after its first. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Exposure } from './exposure.ts';

/** `folder` is that of the config; a file that is not here keeps its line. */
export async function atTheEnds(
  exposures: readonly Exposure[],
  folder: string,
): Promise<readonly Exposure[]> {
  const texts = new Map<string, readonly string[]>();
  for (const file of new Set(exposures.map((one) => one.file))) {
    const text = await readFile(path.join(folder, file), 'utf8').catch(() => ''); // a run folder alone, from another machine
    texts.set(file, text.split('\n'));
  }
  return exposures.map((exposure) => ({
    ...exposure,
    line: endOfCheck(texts.get(exposure.file) ?? [], exposure.line),
  }));
}

/** The last line that belongs to what begins in this line: deeper ones, and those that close a bracket. */
export function endOfCheck(lines: readonly string[], begin: number): number {
  const first = lines[begin - 1];
  if (first === undefined) return begin;
  const depth = indentOf(first);
  let end = begin;
  for (let line = begin + 1; line <= lines.length; line += 1) {
    const text = lines[line - 1] ?? '';
    if (text.trim() === '') continue;
    // A bracket further left closes what the check is in.
    const isInside = indentOf(text) > depth || (indentOf(text) === depth && /^\s*[)\]}]/.test(text));
    if (!isInside) break;
    end = line;
    // The end of a call of a flow; what follows is code of its own.
    if (indentOf(text) === depth) break;
  }
  return end;
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}
