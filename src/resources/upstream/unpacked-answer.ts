/** Decompresses an answer as it comes in: compressed data can be neither metered nor redacted. */
import type { IncomingMessage } from 'node:http';
import { type Duplex, pipeline, type Readable, Transform } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';

/** As clients have it. */
const mostCodings = 5;

/** Some compress although they are asked not to, and more than once. The headers are those that go on to the consumer. */
export function unpacked<Headers extends Readonly<Record<string, unknown>>>(
  answer: IncomingMessage,
  headers: Headers,
): { body: Readable; headers: Headers } {
  const { 'content-encoding': coding = '', ...rest } = headers;
  const names = String(coding)
    .split(',')
    .map((name) => name.trim().toLowerCase());
  const undo = names.flatMap((name) => codings.get(name) ?? []).reverse();
  if (undo.length !== names.length || undo.length > mostCodings) return { body: answer, headers };
  const body = undo.reduce<Readable>((packed, open) => pipeline(packed, open(), () => undefined), answer);
  return { body, headers: rest as unknown as Headers };
}

/** An answer without the last bytes of its compression format is complete all the same. */
const toTheEnd = { finishFlush: constants.Z_SYNC_FLUSH };

const codings: ReadonlyMap<string, () => Duplex> = new Map([
  ['gzip', () => createGunzip(toTheEnd)],
  ['x-gzip', () => createGunzip(toTheEnd)],
  ['deflate', inflate],
  ['br', () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH })],
  ['zstd', () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush })],
]);

/** With the head of zlib, as it should be, or without, as many send it: its first byte shows. */
function inflate(): Duplex {
  let inner: Transform | undefined;
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      if (inner === undefined) {
        const hasHead = ((chunk[0] ?? 0) & 0x0f) === 8;
        inner = hasHead ? createInflate(toTheEnd) : createInflateRaw(toTheEnd);
        inner.on('data', (data) => this.push(data)).on('error', (error) => this.destroy(error));
        inner.on('end', () => this.push(null)); // what follows it is ignored
      }
      inner.write(chunk, done);
    },
    flush(done) {
      if (inner === undefined || inner.readableEnded) done();
      else inner.once('end', done).end();
    },
  });
}
