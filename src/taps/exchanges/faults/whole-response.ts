/** An answer that is read to its end before any of it is forwarded, and then replaced. */
import { unpack } from '../../../kernel/content-coding.ts';
import type { ResponseHead } from '../../../protocols/http/http-message.ts';
import { callLimits } from '../../calls/call-limits.ts';
import { bodyCollector } from '../body-collector.ts';
import type { EditedPart, ExchangeEdit, Move, Part } from '../exchange-edit.ts';
import { exchangeLimits } from '../exchange-limits.ts';
import { PartQueue } from '../part-queue.ts';
import type { WholeResponse } from '../shaped-turn.ts';

type HeadPart = Extract<Part<ResponseHead>, { is: 'head' }>;

/** Gives what is sent instead, up to the end of the message. Undefined where the answer passes as it is, and is unfit. */
export type Replace = (
  response: WholeResponse | undefined,
  head: HeadPart,
) => readonly EditedPart<ResponseHead>[] | undefined;

export function wholeEdit(replace: Replace, unfit: Move): ExchangeEdit {
  const answered = bodyCollector(exchangeLimits.responseBytes);
  const queue = new PartQueue();
  let head: HeadPart | undefined;
  const letGo = (): readonly Part<ResponseHead>[] => {
    head = undefined;
    return queue.takeAll();
  };
  return {
    response: (part) => {
      if (part.is === 'head') head = part;
      if (head === undefined) return [part];
      if (part.is === 'end')
        return replace(decoded(head.head, answered.take()), head) ?? [...letGo(), unfit, part];
      queue.add(part);
      answered.add(part);
      return queue.cost > exchangeLimits.responseBytes ? letGo() : [];
    },
    release: letGo,
  };
}

function decoded(head: ResponseHead, body: Buffer | undefined): WholeResponse | undefined {
  const encoding = head.headers['content-encoding'];
  if (body === undefined || encoding === undefined) return body && { head, body };
  const unpacked = unpack(body, encoding, { mostBytes: callLimits.unfoldedBytes, mayBeCut: true });
  const { 'content-encoding': _, ...headers } = head.headers;
  return 'fault' in unpacked ? undefined : { head: { ...head, headers }, body: unpacked.bytes };
}
