/** What a provider sends with its reasoning and requires back unchanged: made from a text, and recognized later. */
import { createRandom } from '../../kernel/random.ts';

const drawnBytes = 48;
const checkBytes = 16;

/** The same for the same text. It hides the text, but keeps no secret: a played provider has none. */
export function seal(text: string): string {
  const drawn = draw(text, drawnBytes);
  return Buffer.concat([drawn, checkOf(drawn)]).toString('base64');
}

/** Whether it was made here, and has not been altered since; of what, cannot be seen. */
export function isSeal(value: unknown): boolean {
  if (typeof value !== 'string') return false;
  const bytes = Buffer.from(value, 'base64');
  const isWhole = bytes.length === drawnBytes + checkBytes && bytes.toString('base64') === value;
  return isWhole && checkOf(bytes.subarray(0, drawnBytes)).equals(bytes.subarray(drawnBytes));
}

/** The same where a client may decode and re-encode it: either alphabet of base64, padded or not. */
export function isSealOfBytes(value: unknown): boolean {
  if (typeof value !== 'string' || !/^[\w+/-]+={0,2}$/.test(value)) return false;
  return isSeal(Buffer.from(value, 'base64').toString('base64'));
}

/** The end of the name of each rule that holds only for what was sealed here: a recording has the seals of the real one. */
export const sealRule = 'invalid-signature';

function checkOf(drawn: Buffer): Buffer {
  return draw(drawn.toString('base64'), checkBytes);
}

function draw(text: string, length: number): Buffer {
  const random = createRandom(`seal/${text}`);
  return Buffer.from(Array.from({ length }, () => random.integer(0, 255)));
}
