/** The fault that lets the provider's answer pass in its form, with other values in it. */
import type { ResponseHead } from '../../../protocols/http/http-message.ts';
import { bodyText, mediaKind } from '../../../protocols/http/media-type.ts';
import { plainShape } from '../../../protocols/shapes/shape-table.ts';
import { printSse } from '../../../protocols/sse/print-sse.ts';
import { bodyCollector } from '../body-collector.ts';
import { EventBlocks, type NumberedEvent } from '../event-blocks.ts';
import {
  bodyPart,
  type EditAbout,
  type EditedPart,
  type ExchangeEdit,
  endPart,
  type Move,
} from '../exchange-edit.ts';
import { exchangeLimits } from '../exchange-limits.ts';
import { resizedHead } from '../framing.ts';
import { opensListener } from '../listener-stream.ts';
import { isEventStream } from '../places/place-finder.ts';
import { isForModel, shapedTurn, type WholeResponse } from '../shaped-turn.ts';
import { wireResponse } from '../wire-response.ts';
import { wrongJson, wrongTurn } from '../wrong-value.ts';
import { editedEvents } from './edited-events.ts';
import { type Replace, wholeEdit } from './whole-response.ts';

const what = 'answered with other values';
const felt: Move = { do: 'felt', what };
const unfit: Move = { do: 'unfit', what: 'the answer has no values of JSON that could be others' };

/**
 * What a model says is one turn, in pieces that only make sense together; other events are read one by one. A refusal has
 * no values: its status and its type say all of it, the rest is words for people.
 */
export function wrongEdit(about: EditAbout): ExchangeEdit {
  const asked = bodyCollector(exchangeLimits.requestBytes);
  const whole = wholeEdit(replaceWith(about, asked.take), unfit);
  const isOfModel = isForModel(about.request);
  const editOf = (head: ResponseHead): ExchangeEdit => {
    if (head.status >= 400) return unfitEdit;
    if (isEventStream(head) && !isOfModel) return wrongEvents(about);
    return opensListener(about.request, head) ? unfitEdit : whole;
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

const unfitEdit: ExchangeEdit = { response: (part) => (part.is === 'head' ? [part, unfit] : [part]) };

function replaceWith(about: EditAbout, asked: () => Buffer | undefined): Replace {
  return (response, head) => {
    if (response === undefined) return undefined;
    const request = asked();
    const turn = request && shapedTurn({ shape: plainShape, about, request, response, change: wrongTurn });
    if (turn) {
      const headers = { ...response.head.headers, ...turn.headers };
      return wireResponse(about.request, { ...turn, status: response.head.status, headers }, what);
    }
    const body = isForModel(about.request) ? undefined : wrongBody(response);
    return body && [resizedHead(head, body.length), bodyPart(body), felt, endPart];
  };
}

function wrongBody({ head, body }: WholeResponse): Buffer | undefined {
  const type = head.headers['content-type'];
  if (mediaKind(type) === 'events') return wrongStream(body);
  const text = mediaKind(type) === 'json' ? wrongJson(bodyText(type, body) ?? '') : undefined;
  return text === undefined ? undefined : Buffer.from(text, 'utf8');
}

/** A stream that was compressed. */
function wrongStream(body: Buffer): Buffer | undefined {
  const blocks = new EventBlocks();
  const changed = blocks.push(body).map(({ raw, event }) => ({ raw, wrong: event && wrongEvent(event) }));
  if (changed.every(({ wrong }) => wrong === undefined)) return undefined;
  return Buffer.concat([...changed.map(({ raw, wrong }) => wrong ?? raw), blocks.takeRest()]);
}

function wrongEvents(about: EditAbout): ExchangeEdit {
  let isFelt = false;
  const edited = editedEvents(about, {
    edit: (raw, event) => {
      const wrong = event && wrongEvent(event);
      if (wrong === undefined) return [raw];
      const moves = isFelt ? [] : [felt];
      isFelt = true;
      return [wrong, ...moves];
    },
  });
  return {
    ...edited,
    response: (part): readonly EditedPart<ResponseHead>[] => {
      const sent = edited.response?.(part) ?? [part];
      return part.is === 'end' && !isFelt ? [unfit, ...sent] : sent;
    },
  };
}

function wrongEvent({ number: _, data, ...event }: NumberedEvent): Buffer | undefined {
  const wrong = wrongJson(data);
  return wrong === undefined ? undefined : Buffer.from(printSse({ ...event, data: wrong }), 'utf8');
}
