/** The text between two places of a buffer, as `utf8Text` gives it. Most are valid, and decoding them without a look and a copy is quick. */
import { utf8Text } from '../../kernel/utf8-text.ts';

export function textBetween(bytes: Buffer, from: number, to: number): string {
  const text = bytes.toString('utf8', from, to);
  return text.includes('\uFFFD') ? utf8Text(bytes.subarray(from, to)) : text;
}
