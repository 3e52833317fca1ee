/** Undoes the compression of an answer as it comes in: what is packed can be neither metered nor kept clean of secrets. */
import type { IncomingMessage } from 'node:http';
import { type Duplex, pipeline, type Readable } from 'node:stream';
import {
  constants,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createZstdDecompress,
} from 'node:zlib';

/** Some compress although they are asked not to. The headers are those that go on to the consumer. */
export function unpacked<Headers extends Readonly<Record<string, unknown>>>(
  answer: IncomingMessage,
  headers: Headers,
): { body: Readable; headers: Headers } {
  const { 'content-encoding': coding = '', ...rest } = headers;
  const name = String(coding).trim().toLowerCase();
  const undo = Object.hasOwn(codings, name) ? codings[name] : undefined;
  if (undo === undefined) return { body: answer, headers };
  return { body: pipeline(answer, undo(), () => undefined), headers: rest as unknown as Headers };
}

/** Whoever leaves out the last bytes of the packing has said all the same what is in it. */
const codings: Readonly<Record<string, () => Duplex>> = {
  gzip: () => createGunzip({ finishFlush: constants.Z_SYNC_FLUSH }),
  deflate: () => createInflate({ finishFlush: constants.Z_SYNC_FLUSH }),
  br: () => createBrotliDecompress({ finishFlush: constants.BROTLI_OPERATION_FLUSH }),
  zstd: () => createZstdDecompress({ finishFlush: constants.ZSTD_e_flush }),
};
