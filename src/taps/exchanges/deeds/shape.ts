/** The deed that sends the provider's answer in another shape of the corpus, legal or not. */
import type { ResponseHead } from '../../../protocols/http/http-message.ts';
import type { Shape } from '../../../protocols/shapes/shape.ts';
import { plainShape, shapeOf } from '../../../protocols/shapes/shape-table.ts';
import { decodeContent } from '../../calls/decode-content.ts';
import { bodyCollector } from '../body-collector.ts';
import type { EditAbout, ExchangeEdit, Move, Part, Told } from '../exchange-edit.ts';
import { exchangeLimits } from '../exchange-limits.ts';
import { endingConnection, opensListener } from '../listener-stream.ts';
import { PartQueue } from '../part-queue.ts';
import { shapedRpc } from '../shaped-rpc.ts';
import { shapedTurn, type WholeResponse } from '../shaped-turn.ts';
import { wireResponse } from '../wire-response.ts';
import { passEdit } from './pass.ts';

/** An answer that is not whole, or that has nothing of what the shape is about, passes untouched and is unfit. */
export function shapeEdit(id: string, about: EditAbout): ExchangeEdit {
  const shape = shapeOf(id);
  if (shape === undefined) return passEdit();
  if (shape === plainShape) return { response: (part) => (part.is === 'end' ? [sentPlain, part] : [part]) };
  const asked = bodyCollector(exchangeLimits.requestBytes);
  const answered = bodyCollector(exchangeLimits.responseBytes);
  const queue = new PartQueue();
  let head: ResponseHead | undefined;
  let isReplaced = false;
  const letGo = (): readonly Part<ResponseHead>[] => {
    head = undefined;
    return queue.takeAll();
  };
  const reshape = (
    response: WholeResponse | undefined,
    to = about.request,
  ): readonly Told<ResponseHead>[] | undefined => {
    const request = asked.take();
    if (response === undefined || request === undefined) return undefined;
    const given = { shape, about, request, response };
    const answer = shapedTurn(given) ?? shapedRpc(given);
    return answer && wireResponse(to, answer, `sent in the shape ${id}`);
  };
  /** A stream that a listener has opened may never end: it is sent in another shape now, or not at all. */
  const onListener = (part: Part<ResponseHead> & { is: 'head' }): readonly Told<ResponseHead>[] => {
    const told = reshape({ head: part.head, body: Buffer.alloc(0) }, endingConnection(about.request));
    isReplaced = told !== undefined;
    head = undefined;
    return told ?? [part, unfit(shape)];
  };
  return {
    request: (part) => {
      asked.add(part);
      return [part];
    },
    response: (part) => {
      if (isReplaced) return [];
      if (part.is === 'head' && opensListener(about.request, part.head)) return onListener(part);
      if (part.is === 'head') head = part.head;
      if (head === undefined) return [part];
      if (part.is === 'end')
        return reshape(decoded(head, answered.take())) ?? [...letGo(), unfit(shape), part];
      queue.add(part);
      answered.add(part);
      return queue.cost > exchangeLimits.responseBytes ? letGo() : [];
    },
    release: letGo,
  };
}

const sentPlain: Move = { do: 'felt', what: 'sent as it was' };

function unfit({ id, title }: Shape): Move {
  return { do: 'unfit', what: `the shape ${id} (${title}) does not fit this request and its answer` };
}

function decoded(head: ResponseHead, body: Buffer | undefined): WholeResponse | undefined {
  const encoding = head.headers['content-encoding'];
  if (body === undefined || encoding === undefined) return body && { head, body };
  const { bytes, because } = decodeContent(body, encoding);
  const { 'content-encoding': _, ...headers } = head.headers;
  return because === undefined ? { head: { ...head, headers }, body: bytes } : undefined;
}
