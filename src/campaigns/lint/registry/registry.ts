/** The registry of boundaries and the catalogue of high-risk trials in use: entries with their locations. */
import path from 'node:path';
import { baseId } from '../../../kernel/base-id.ts';
import { parseDocument } from '../../../system/check/parse-document.ts';
import {
  type BoundariesDocument,
  type BoundaryDocument,
  boundariesDocument,
} from '../../../system/document/boundaries-document.ts';
import {
  type CatalogueDocument,
  catalogueDocument,
  type RiskDocument,
} from '../../../system/document/catalogue-document.ts';
import { readText } from '../../../system/source/read-text.ts';
import type { System } from '../../../system/system.ts';
import type { Trial } from '../../../trials/trial.ts';
import { globMatcher } from '../matching-globs.ts';
import type { LintPlace } from '../rule.ts';

export interface BoundaryRegistry {
  /** Absolute, and relative to the folder of the config. */
  readonly file: string;
  readonly shown: string;
  readonly document: BoundariesDocument;
  readonly boundaries: readonly Entry<BoundaryDocument>[];
  place: PlaceOf;
}

export interface Entry<Document> {
  readonly id: string;
  readonly written: Document;
  /** The location of the entry, or of a part of it. */
  place: PlaceOf;
}

type PlaceOf = (...path: readonly (string | number)[]) => LintPlace;

export async function readBoundaries({ boundaries, folder }: System): Promise<BoundaryRegistry | undefined> {
  if (boundaries === undefined) return undefined;
  const text = await textOf(boundaries, registryNoun);
  const { document, source } = parseBoundaries(boundaries, text);
  const shown = path.relative(folder, boundaries);
  const place: PlaceOf = (...steps) => ({ file: shown, line: source.keyLine(steps) });
  const entries = placed(document.boundaries, (...steps) => place('boundaries', ...steps));
  return { file: boundaries, shown, document, place, boundaries: entries };
}

const registryNoun = 'registry of boundaries';

export function parseBoundaries(file: string, text: string) {
  return parseDocument<BoundariesDocument>(file, text, boundariesDocument, registryNoun);
}

export async function readCatalogue({ catalogue, folder }: System): Promise<readonly Entry<RiskDocument>[]> {
  if (catalogue === undefined) return [];
  const noun = 'catalogue of high-risk trials';
  const text = await textOf(catalogue, noun);
  const { document, source } = parseDocument<CatalogueDocument>(catalogue, text, catalogueDocument, noun);
  const file = path.relative(folder, catalogue);
  return placed(document.risks, (...steps) => ({ file, line: source.keyLine(['risks', ...steps]) }));
}

function textOf(file: string, noun: string): Promise<string> {
  return readText(file, { noun, absent: 'config.not-found', unreadable: 'config.unreadable' });
}

function placed<Document extends { readonly id: string }>(entries: readonly Document[], place: PlaceOf) {
  return entries.map(
    (written, index): Entry<Document> => ({
      id: written.id,
      written,
      place: (...steps) => place(index, ...steps),
    }),
  );
}

/** Trials that name the boundary themselves, and those that the registry names. */
export function trialsOf(
  { id, written }: Entry<BoundaryDocument>,
  trials: readonly Trial[],
): readonly Trial[] {
  return trials.filter(
    (trial) =>
      trial.record.attacks?.some(({ boundary }) => boundary === id) === true ||
      (written.trials ?? []).some((word) => namesTrial(word, trial)),
  );
}

/** An id, a glob of ids, `tag:NAME` or `covers:ID`. */
export function namesTrial(word: string, { record: { id, tags, covers } }: Trial): boolean {
  if (word.startsWith('tag:')) return tags.includes(word.slice(4));
  if (word.startsWith('covers:')) return covers.includes(word.slice(7));
  const base = baseId(id);
  return word === id || word === base || (word.includes('*') && globMatcher(word)(base));
}
