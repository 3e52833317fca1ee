/** The registry of boundaries as it is used: entries with their places, and the trials that belong to each. */
import path from 'node:path';
import {
  type BoundariesDocument,
  type BoundaryDocument,
  boundariesDocument,
} from '../../../system/document/boundaries-document.ts';
import type { System } from '../../../system/system.ts';
import type { Trial } from '../../../trials/trial.ts';
import { globMatcher } from '../matching-globs.ts';
import { baseId, type LintPlace, slashed } from '../place-of-part.ts';
import { readDocument } from './read-document.ts';

export interface BoundaryRegistry {
  /** Absolute, and relative to the folder of the config. */
  readonly file: string;
  readonly shown: string;
  readonly folders: readonly string[];
  readonly except: readonly string[];
  readonly boundaries: readonly Boundary[];
  /** Where one of the globs of `folders` stands. */
  folderPlace(index: number): LintPlace;
}

export interface Boundary {
  readonly id: string;
  readonly written: BoundaryDocument;
  /** Where the entry, or a part of it, stands. */
  place(...path: readonly (string | number)[]): LintPlace;
}

export const registryNoun = 'registry of boundaries';

export async function readBoundaries({
  boundaries: file,
  folder,
}: System): Promise<BoundaryRegistry | undefined> {
  if (file === undefined) return undefined;
  const { document, source } = await readDocument<BoundariesDocument>(file, boundariesDocument, registryNoun);
  const shown = slashed(path.relative(folder, file));
  const at = (...steps: readonly (string | number)[]): LintPlace => ({
    file: shown,
    line: source.keyLine(steps),
  });
  return {
    file,
    shown,
    folders: document.folders ?? [],
    except: document.except ?? [],
    folderPlace: (index) => at('folders', index),
    boundaries: document.boundaries.map((written, index) => ({
      id: written.id,
      written,
      place: (...steps) => at('boundaries', index, ...steps),
    })),
  };
}

/** Those that say so themselves, and those that the registry names. */
export function trialsOf({ id, written }: Boundary, trials: readonly Trial[]): readonly Trial[] {
  return trials.filter(
    (trial) =>
      trial.record.attacks?.some(({ boundary }) => boundary === id) === true ||
      (written.trials ?? []).some((word) => namesTrial(word, trial)),
  );
}

/** An id, a glob of ids, `tag:NAME` or `covers:ID`. */
export function namesTrial(word: string, trial: Trial): boolean {
  const { id, tags, covers } = trial.record;
  if (word.startsWith('tag:')) return tags.includes(word.slice(4));
  if (word.startsWith('covers:')) return covers.includes(word.slice(7));
  if (word === id || word === baseId(trial)) return true;
  return word.includes('*') && globMatcher(word)(baseId(trial));
}
