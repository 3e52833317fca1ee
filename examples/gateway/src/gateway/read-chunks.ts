/** The chunks of a provider's stream as they come; a stream that ends early, or falls silent, throws. */
import type { IncomingMessage } from 'node:http';
import { type CallIndexer, createCallIndexer } from '../chat/call-indexer.ts';
import { type Chunk, createChunkReader } from '../chat/chunk.ts';
import { hasDefect } from '../defects.ts';
import { timedOut } from '../wire/post.ts';
import { type Decode, readEvents } from '../wire/sse-reader.ts';
import { unpacked } from './unpacked.ts';
import { faultOf, UpstreamFault } from './upstream-fault.ts';

export async function* readChunks(answer: IncomingMessage, idleMs: number): AsyncGenerator<Chunk> {
  const readChunk = createChunkReader(indexerFactory());
  const patience = hasDefect('waits-for-ever') ? 3_600_000 : idleMs;
  let isFinished = false;
  // Comments keep a connection alive but are not progress: only chunks reset this timer.
  let timer = setTimeout(() => answer.destroy(timedOut(patience)), patience);
  try {
    for await (const { data } of readEvents(await unpacked(answer), decoder())) {
      if (data.trim() === '[DONE]') break;
      if (data.trimStart().startsWith(':')) continue; // a comment inside of a data field
      clearTimeout(timer);
      const chunk = readChunk(data);
      isFinished ||= chunk.choices.some(({ finish_reason: reason }) => reason !== null);
      yield chunk;
      // From here on: the consumer of the chunks may be slow, the provider may not.
      timer = setTimeout(() => answer.destroy(timedOut(patience)), patience);
    }
  } catch (error) {
    if (!hasDefect('truncation-is-success')) throw faultOf(error);
  } finally {
    clearTimeout(timer);
    answer.destroy();
  }
  if (!isFinished && !hasDefect('truncation-is-success')) {
    throw new UpstreamFault('upstream_truncated', 502, 'the stream of the provider ended before its end');
  }
}

function indexerFactory(): () => CallIndexer {
  if (!hasDefect('fragments-by-position')) return createCallIndexer;
  return () => (_told, _id, position) => position;
}

function decoder(): Decode | undefined {
  if (!hasDefect('split-utf8')) return undefined;
  return (bytes) => Buffer.from(bytes).toString('utf8');
}
