/** The part of a document that a requirement was taken from, found by its heading or anchor. */
import { readFile } from 'node:fs/promises';
import { absentOn } from '../../kernel/system-error.ts';
import { markdownOutline, plainWords } from './markdown-outline.ts';

/** Undefined where the document has no such section. If table rows begin with the id, only these. */
export function sectionText(document: string, section: string | undefined, id: string): string | undefined {
  const part = section === undefined ? document : partUnder(document, section);
  if (part === undefined) return undefined;
  const rows = markdownOutline(part).tables.flatMap((table) =>
    table.rows.filter(({ cells }) => cells.some(({ text }) => plainWords(text) === id)),
  );
  const texts = rows.length > 0 ? rows.map(({ cells }) => cells.map(({ text }) => text).join(' | ')) : [part];
  return texts.join('\n').replaceAll(/\s+/g, ' ').trim();
}

/** As GitHub makes it of a heading: lower case, without marks, spaces as dashes. */
export function anchorOf(heading: string): string {
  return plainWords(heading)
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replaceAll(/\s/g, '-');
}

/** From the heading to the next one that is not below it. */
function partUnder(document: string, section: string): string | undefined {
  const { headings } = markdownOutline(document);
  const wanted = section.trim().replace(/^#+\s*/, '');
  const index = headings.findIndex(
    ({ text }) =>
      plainWords(text).toLowerCase() === plainWords(wanted).toLowerCase() ||
      anchorOf(text) === wanted.toLowerCase(),
  );
  const found = headings[index];
  if (!found) return undefined;
  const next = headings.slice(index + 1).find(({ level }) => level <= found.level);
  return document
    .split('\n')
    .slice(found.line - 1, next && next.line - 1)
    .join('\n');
}

/** Undefined for a missing file. */
export async function readSource(file: string): Promise<string | undefined> {
  return (await readFile(file, 'utf8').catch(absentOn('ENOENT', 'ENOTDIR', 'EISDIR'))) || undefined;
}
