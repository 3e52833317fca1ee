/** Pages have all pieces once, in their order, are bounded, and a cursor fits no other answer. */
import { expect, test } from 'vitest';
import { pageOf, piecesOf } from './page.ts';

const long = `${'x'.repeat(9_000)}\n`;
const text = `first\n${'€'.repeat(5_000)}😀\n\n${'line\n'.repeat(3_000)}${long}last`;

function allPages(pieces: ReturnType<typeof piecesOf>): readonly string[] {
  const pages: string[] = [];
  let cursor: string | undefined;
  do {
    const page = pageOf(pieces, cursor);
    pages.push(page.shown.map((piece) => piece.text).join(''));
    cursor = page.cursor;
  } while (cursor !== undefined);
  return pages;
}

test('all pages together are the text, and none is large', () => {
  const pages = allPages(piecesOf(text));
  expect(pages.join('')).toBe(text);
  expect(pages.length).toBeGreaterThan(2);
  for (const page of pages) expect(Buffer.byteLength(page)).toBeLessThanOrEqual(12 * 1024);
});

test('nothing is one empty page', () => {
  expect(pageOf(piecesOf(''))).toEqual({ shown: [] });
});

test('a cursor still fits when more was added, and not when what came before has changed', () => {
  const { cursor = '' } = pageOf(piecesOf(text));
  expect(pageOf(piecesOf(`${text}\nmore`), cursor).shown.length).toBeGreaterThan(0);
  for (const other of ['First', '']) {
    expect(() => pageOf(piecesOf(text.replace('first', other)), cursor)).toThrow('has changed since');
  }
  expect(() => pageOf(piecesOf(text), '999999.00000000')).toThrow('not from this answer');
});
