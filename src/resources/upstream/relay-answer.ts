/** Hands the body of an answer on to the consumer as it comes in. */
import type { Readable } from 'node:stream';
import type { WireReply } from '../wire/wire-server.ts';
import { whyNot } from './send-on.ts';

/**
 * Bytes go out as they come in, no faster than the consumer takes them. Gives how the real one broke off; undefined where it
 * did not, and where it is the consumer that has gone.
 */
export async function relayAnswer(
  answer: Readable,
  reply: WireReply,
  onPiece: (bytes: Buffer) => void,
): Promise<string | undefined> {
  try {
    for await (const bytes of answer as AsyncIterable<Buffer>) {
      onPiece(bytes);
      if (!reply.write(bytes)) await reply.drained();
    }
    return undefined;
  } catch (error) {
    return reply.isGone ? undefined : whyNot(error);
  }
}
