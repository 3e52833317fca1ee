/** Texts made safe for a terminal: no control sequences, and no wider than the available columns. */
import { printable } from '../../kernel/printable.ts';
import { printAtLeast } from '../../patterns/print-value.ts';

const ellipsis = '…';
const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff01-\uff60\uffe0-\uffe6]|\p{Emoji_Presentation}/u;
const invisible = /[\p{M}\u200b-\u200d]/u;

/** On one line. */
export function oneLine(text: string): string {
  return printable(text.replaceAll(/[\t\r\n]+/g, ' '));
}

/** A value of the evidence on one line, in pattern syntax, and no longer than the available room. */
export function oneLineValue(value: unknown, room: number): string {
  return fitText(oneLine(printAtLeast(value, room)), room);
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
  const shown = lines.slice(0, mostLines);
  if (!whole) shown[shown.length - 1] = fitText(`${shown.at(-1)}${ellipsis}`, columns);
  return shown;
}

function lineOf(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text;
  const most = takeColumns(text, columns);
  const space = text[most.length] === ' ' ? most.length : most.lastIndexOf(' ');
  // Breaking at a space near the beginning would leave most of the line empty.
  return space > columns / 3 ? most.slice(0, space) : most;
}
