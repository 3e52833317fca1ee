/** A body without its content encoding, for providers that compress. */
import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { UpstreamFault } from './upstream-fault.ts';

export async function unpacked(answer: IncomingMessage): Promise<Readable> {
  const encoding = (answer.headers['content-encoding'] ?? 'identity').trim().toLowerCase();
  if (encoding === 'identity' || encoding === '') return answer;
  const { constants, createBrotliDecompress, createGunzip, createInflate } = await import('node:zlib');
  const flush = { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH };
  const unpackers = {
    gzip: () => createGunzip(flush),
    deflate: () => createInflate(flush),
    br: () => createBrotliDecompress({ flush: constants.BROTLI_OPERATION_FLUSH }),
  };
  const create = unpackers[encoding as keyof typeof unpackers];
  if (!create) throw new UpstreamFault('upstream_invalid', 502, `the provider packs with ${encoding}`);
  const unpacker = create();
  answer.on('error', (error) => unpacker.destroy(error));
  answer.on('aborted', () => unpacker.destroy(new Error('aborted')));
  return answer.pipe(unpacker);
}
