/** Writes the bytes of an answer to a recording, without secrets, and reads them back. */
import { bytesAsSent, bytesFromOutside } from '../../journal/outside-text.ts';
import type { Redactor } from '../../journal/redaction.ts';
import { isMap } from '../../kernel/is-map.ts';
import type { RecordedPiece, RecordedResponse } from './cassette.ts';
import { isRecordedName } from './recorded-headers.ts';

export interface RawPiece {
  readonly bytes: Uint8Array;
  readonly afterMs: number;
}

/** A secret that spans two pieces merges all pieces into one. */
export function cleanPieces(pieces: readonly RawPiece[], redactor: Redactor): readonly RecordedPiece[] {
  return changedPieces(pieces, (bytes) => redactor.redactBytes(bytesFromOutside(bytes))).map(printPiece);
}

/** `change` takes and gives bytes as a latin1 text. What it would change across two pieces makes one piece of all. */
export function changedPieces(
  pieces: readonly RawPiece[],
  change: (bytes: string) => string,
): readonly RawPiece[] {
  const texts = pieces.map(({ bytes }) => Buffer.from(bytes).toString('latin1'));
  const whole = change(texts.join(''));
  const changed = texts.map(change);
  if (changed.join('') !== whole)
    return [{ bytes: Buffer.from(whole, 'latin1'), afterMs: pieces[0]?.afterMs ?? 0 }];
  return pieces.map(({ afterMs }, index) => ({
    bytes: Buffer.from(changed[index] ?? '', 'latin1'),
    afterMs,
  }));
}

/** As the model sent them; tokens stay. */
export function sentPieces(pieces: readonly RecordedPiece[]): readonly RawPiece[] {
  const recorded = pieces.map((piece) => ({ bytes: bytesOf(piece), afterMs: piece.afterMs }));
  return changedPieces(recorded, bytesAsSent);
}

export function bytesOf({ text, base64 }: RecordedPiece): Uint8Array {
  return text === undefined ? Buffer.from(base64 ?? '', 'base64') : Buffer.from(text);
}

/** What keeps a recorded answer from being played: whatever HTTP could not carry, and what was not recorded. */
export function responseFault(response: unknown): string | undefined {
  if (!isMap(response) || typeof response.status !== 'number' || !isMap(response.headers))
    return '`response` is incomplete';
  const { status, headers, pieces, end } = response;
  if (status !== 0 && !/^[1-9]\d\d$/.test(String(status))) return `\`response.status\` is ${status}`;
  const header = Object.entries(headers).find(([name, value]) => !isHeader(name, value));
  if (header) return `\`response.headers\` has ${JSON.stringify(header.join(': '))}`;
  if (!Array.isArray(pieces) || !pieces.every(isPiece)) return '`response.pieces` is incomplete';
  if (!ends.includes(end)) return `\`response.end\` is ${JSON.stringify(end)}`;
  return undefined;
}

const ends: readonly unknown[] = ['whole', 'fin', 'hang'] satisfies RecordedResponse['end'][];

function isHeader(name: string, value: unknown): boolean {
  return isRecordedName(name) && typeof value === 'string' && !/[\0\r\n]/.test(value);
}

function isPiece(piece: unknown): boolean {
  if (!isMap(piece) || typeof piece.afterMs !== 'number') return false;
  return typeof piece.text === 'string' || typeof piece.base64 === 'string';
}

/** Text where it is whole text, so that a person can read it and a difference can be seen. */
function printPiece({ bytes, afterMs }: RawPiece): RecordedPiece {
  const raw = Buffer.from(bytes);
  const text = raw.toString();
  return Buffer.from(text).equals(raw) ? { afterMs, text } : { afterMs, base64: raw.toString('base64') };
}
