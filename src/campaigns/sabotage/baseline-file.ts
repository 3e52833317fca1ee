/** `shakedown/sabotage-baseline.yaml` beside the config: read, and written whole. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { writeShared } from '../../journal/write-redacted.ts';
import { projectPlace } from '../../kernel/folders/project-place.ts';
import { Problem } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';
import { readText } from '../../system/source/read-text.ts';
import {
  acceptFindings,
  type Baseline,
  type BaselinePart,
  dropStale,
  emptyBaseline,
  type FindingName,
  type Held,
  holdAgainstBaseline,
  type IsJudged,
  parseBaseline,
  printBaseline,
} from './baseline.ts';

/** What the command line does to the baseline. */
export interface BaselineChange {
  /** The reason for which all findings are accepted. */
  readonly accept: string | undefined;
  /** Removes what is no longer a finding. */
  readonly prune: boolean;
}

export function baselineFile(systemFolder: string): string {
  return path.join(systemFolder, 'shakedown', 'sabotage-baseline.yaml');
}

/** An absent file accepts nothing. */
export async function readBaseline(systemFolder: string): Promise<Baseline> {
  const file = baselineFile(systemFolder);
  if (!existsSync(file)) return emptyBaseline(file);
  const kind = { noun: 'baseline', absent: 'config.not-found', unreadable: 'config.unreadable' } as const;
  return parseBaseline(file, await readText(file, kind));
}

/** Compares findings with the baseline, after it was changed as requested. */
export async function settleBaseline<Part extends BaselinePart, Finding extends FindingName<Part>>(
  read: Baseline,
  part: Part,
  findings: readonly Finding[],
  change: BaselineChange | undefined,
  isJudged: IsJudged<Part>,
): Promise<Held<Part, Finding>> {
  const baseline =
    change?.accept !== undefined
      ? acceptFindings(read, part, findings, change.accept, isJudged)
      : change?.prune
        ? dropStale(read, part, findings, isJudged)
        : read;
  if (baseline !== read) writeBaseline(baseline);
  return holdAgainstBaseline(baseline, part, findings, isJudged);
}

/** Written atomically: a reader finds the old file or the new one. */
function writeBaseline(baseline: Baseline): void {
  const { file } = baseline;
  const folder = path.dirname(path.dirname(file));
  projectPlace(folder, file);
  try {
    writeShared(folder, file, printBaseline(baseline));
  } catch (error) {
    throw new Problem({
      code: 'world.not-writable',
      where: file,
      what: `the baseline cannot be written: ${errorCode(error) ?? String(error)}`,
      allowed: 'a folder `shakedown` beside the config in which you may write',
      next: `look at its permissions: ls -ld ${path.dirname(file)}`,
      cause: error,
    });
  }
}
