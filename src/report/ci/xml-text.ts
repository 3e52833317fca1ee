/** Texts inside XML: escaped, and without the characters that XML 1.0 forbids even when they are escaped. */
import { stripVTControlCharacters } from 'node:util';

const forbidden = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

export function xmlText(text: string): string {
  return stripVTControlCharacters(text)
    .replaceAll(forbidden, '')
    .replaceAll('\r\n', '\n')
    .replaceAll('\r', '\n')
    .replaceAll(/[&<>"]/g, (found) => entities[found] as string);
}

/** A parser makes spaces of line ends in attributes, so that they are written as numbers. */
export function xmlAttributes(attributes: Readonly<Record<string, string | number>>): string {
  return Object.entries(attributes)
    .map(([name, value]) => {
      const text = xmlText(String(value)).replaceAll('\n', '&#10;').replaceAll('\t', '&#9;');
      return ` ${name}="${text}"`;
    })
    .join('');
}
