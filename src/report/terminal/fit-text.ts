/** Texts made fit for a terminal: nothing that steers it, and no wider than there is room. */
import { printable } from '../../kernel/printable.ts';

const ellipsis = '…';
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const invisible = /[\p{M}\u200b-\u200d]/u;

/** On one line. */
export function oneLine(text: string): string {
  return printable(text.replaceAll(/[\t\r\n]+/g, ' '));
}

/** The columns that a text takes. */
export function widthOf(text: string): number {
  if (/^[ -~]*$/.test(text)) return text.length;
  let width = 0;
  for (const character of text) width += columnsOf(character);
  return width;
}

function columnsOf(character: string): number {
  if (character <= '~') return 1;
  return wide.test(character) ? 2 : invisible.test(character) ? 0 : 1;
}

/** The text, or its beginning and an ellipsis. */
export function fitText(text: string, columns: number): string {
  const begin = text.slice(0, (columns + 1) * 8);
  if (begin.length === text.length && widthOf(begin) <= columns) return text;
  return `${takeColumns(begin, columns - 1)}${ellipsis}`;
}

function takeColumns(text: string, columns: number): string {
  let width = 0;
  let taken = '';
  for (const character of text) {
    width += columnsOf(character);
    if (width > columns) break;
    taken += character;
  }
  return taken;
}

export function padText(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - widthOf(text)));
}

/** The text on a few lines, broken between words where that is possible. */
export function wrapText(text: string, columns: number, mostLines: number): string[] {
  const lines: string[] = [];
  const room = columns * (mostLines + 1) * 8;
  const width = Math.max(2, columns);
  for (const paragraph of text.slice(0, room).split('\n')) {
    let rest = oneLine(paragraph).trimEnd();
    do {
      const line = lineOf(rest, width);
      lines.push(line);
      rest = rest.slice(line.length).trimStart();
    } while (rest !== '' && lines.length <= mostLines);
    if (lines.length > mostLines) break;
  }
  const whole = lines.length <= mostLines && text.length <= room;
  const told = lines.slice(0, mostLines);
  if (!whole) told[told.length - 1] = fitText(`${told.at(-1)}${ellipsis}`, columns);
  return told;
}

function lineOf(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const most = takeColumns(text, columns);
  const space = text[most.length] === ' ' ? most.length : most.lastIndexOf(' ');
  // A space near the beginning is no good place: most of the line would be empty.
  return space > columns / 3 ? most.slice(0, space) : most;
}
