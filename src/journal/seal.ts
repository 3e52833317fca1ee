/** Checksums in what is written: that of a line covers all lines before it, so that any change, copy or move shows. */
import { crc32 } from 'node:zlib';

/** Takes one JSON object after the other, and gives each with its checksum as the last field. */
export function createSealer(): (json: string) => string {
  let sum = 0;
  return (json) => {
    sum = crc32(json, sum);
    return `${json.slice(0, -1)},"crc":"${hex(sum)}"}`;
  };
}

const sealBytes = ',"crc":"00000000"}'.length;
const brace = Buffer.from('}');

/** Takes one line after the other, and gives its JSON without the checksum; undefined when that is not right. */
export function createSealBreaker(): (line: Buffer) => string | undefined {
  let sum = 0;
  return (line) => {
    const body = line.subarray(0, Math.max(0, line.length - sealBytes));
    sum = crc32(brace, crc32(body, sum));
    const isRight = line.toString('latin1', body.length) === `,"crc":"${hex(sum)}"}`;
    return isRight ? `${body.toString()}}` : undefined;
  };
}

/** A whole document with its checksum as the last field, for people to read. */
export function sealDocument(value: object): string {
  const json = JSON.stringify(value, undefined, 2);
  return `${json.slice(0, -2)},\n  "crc": "${checksum(json)}"\n}\n`;
}

/** The JSON of a document without its checksum; throws where that is not right. One that has none is of an older version. */
export function openDocument(bytes: Buffer): string {
  const text = bytes.toString();
  const seal = sealOf(bytes);
  if (seal === undefined) return text;
  const json = `${text.slice(0, -seal.length)}\n}`;
  if (seal.includes(`"${checksum(json)}"`)) return json;
  throw new Error('it was changed after it was written: its checksum does not match');
}

export function isSealed(bytes: Buffer): boolean {
  return sealOf(bytes) !== undefined;
}

function sealOf(bytes: Buffer): string | undefined {
  // Another tool may have written it in another form.
  return /,\s*"crc"\s*:\s*"[^"\n]*"\s*\}\s*$/.exec(
    bytes.toString('utf8', Math.max(0, bytes.length - 80)),
  )?.[0];
}

export function checksum(content: string | Buffer): string {
  return hex(crc32(content));
}

function hex(sum: number): string {
  return sum.toString(16).padStart(8, '0');
}
