/** The fault that sends the provider's answer in another shape of the corpus, legal or not. */
import type { RequestHead, ResponseHead } from '../../../protocols/http/http-message.ts';
import { mediaKind } from '../../../protocols/http/media-type.ts';
import type { Shape, WireAnswer } from '../../../protocols/shapes/shape.ts';
import { plainShape, shapeOf } from '../../../protocols/shapes/shape-table.ts';
import { bodyCollector } from '../body-collector.ts';
import type { EditAbout, EditedPart, ExchangeEdit, Move } from '../exchange-edit.ts';
import { exchangeLimits } from '../exchange-limits.ts';
import { endingConnection, opensListener } from '../listener-stream.ts';
import { isEventStream } from '../places/place-finder.ts';
import { rpcRequest, shapedRpc } from '../shaped-rpc.ts';
import { shapedTurn, type WholeResponse } from '../shaped-turn.ts';
import { wireResponse } from '../wire-response.ts';
import { passEdit } from './pass.ts';
import { shapedStream } from './shaped-stream.ts';
import { wholeEdit } from './whole-response.ts';

/** An answer that is incomplete, or to which the shape does not apply, passes unchanged and is unfit. */
export function shapeEdit(id: string, about: EditAbout): ExchangeEdit {
  const shape = shapeOf(id);
  if (shape === undefined) return passEdit();
  if (shape === plainShape) return { response: (part) => (part.is === 'end' ? [sentPlain, part] : [part]) };
  const felt = `sent in the shape ${id}`;
  const asked = bodyCollector(exchangeLimits.requestBytes);
  const reshape: Reshape = (response, request = about.request) => {
    const body = asked.take();
    if (response === undefined || body === undefined) return undefined;
    const given = { shape, about: { ...about, request }, request: body, response };
    return shapedTurn(given) ?? shapedRpc(given);
  };
  const whole: ExchangeEdit = wholeEdit((response) => {
    const answer = reshape(response);
    return answer && wireResponse(about.request, answer, felt);
  }, unfit(shape));
  const editOf = (head: ResponseHead): ExchangeEdit => {
    if (opensListener(about.request, head)) {
      const answer = reshape({ head, body: Buffer.alloc(0) });
      return answer
        ? insteadOf(wireResponse(endingConnection(about.request), answer, felt))
        : unfitEdit(unfit(shape));
    }
    const body = asked.take();
    const asks = shape.over.includes('mcp-http') && body !== undefined && rpcRequest(body) !== undefined;
    if (!asks || mediaKind(head.headers['content-type']) !== 'events') return whole;
    if (!isEventStream(head)) return unfitEdit(unfit(shape));
    const request = { ...about.request, headers: { ...about.request.headers, accept: 'text/event-stream' } };
    const within = (answer: Buffer): WireAnswer | undefined => reshape({ head, body: answer }, request);
    return shapedStream({ about, whole, reshape: within, felt, unfit: unfit(shape) });
  };
  let edit: ExchangeEdit | undefined;
  return {
    request: (part) => {
      asked.add(part);
      return [part];
    },
    response: (part) => {
      if (part.is === 'head') edit = editOf(part.head);
      return edit?.response?.(part) ?? [part];
    },
    release: () => edit?.release?.() ?? [],
  };
}

type Reshape = (response: WholeResponse | undefined, request?: RequestHead) => WireAnswer | undefined;

/** A stream that a listener has opened may never end: it is sent in another shape now, or not at all. */
function insteadOf(edited: readonly EditedPart<ResponseHead>[]): ExchangeEdit {
  return { response: (part) => (part.is === 'head' ? edited : []) };
}

function unfitEdit(unfit: Move): ExchangeEdit {
  return { response: (part) => (part.is === 'head' ? [part, unfit] : [part]) };
}

const sentPlain: Move = { do: 'felt', what: 'sent as it was' };

function unfit({ id, title }: Shape): Move {
  return { do: 'unfit', what: `the shape ${id} (${title}) does not fit this request and its answer` };
}
