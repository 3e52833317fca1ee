/** The stream of a tool server: its requests and notifications pass at once, since it may wait for a reply to them. */
import type { ResponseHead } from '../../../protocols/http/http-message.ts';
import { mediaKind } from '../../../protocols/http/media-type.ts';
import { looseJson } from '../../../protocols/json-rpc/read-json.ts';
import type { WireAnswer } from '../../../protocols/shapes/shape.ts';
import { rpcAnswersIn } from '../../calls/rpc-calls.ts';
import { EventBlocks } from '../event-blocks.ts';
import type { EditAbout, EditedPart, ExchangeEdit, Move, Part } from '../exchange-edit.ts';
import { exchangeLimits } from '../exchange-limits.ts';
import { PartQueue } from '../part-queue.ts';
import { wirePieces } from '../wire-response.ts';
import { editedEvents } from './edited-events.ts';

export interface StreamShaping {
  readonly about: EditAbout;
  /** Where the answer comes first it is the whole of the stream, and may get another head too. */
  readonly whole: ExchangeEdit;
  /** In a stream that has begun a shape is a sequence of events, or does not fit. */
  readonly reshape: (answer: Buffer) => WireAnswer | undefined;
  readonly felt: string;
  readonly unfit: Move;
}

export function shapedStream(shaping: StreamShaping): ExchangeEdit {
  const blocks = new EventBlocks();
  const queue = new PartQueue();
  let chosen: ExchangeEdit | undefined;
  const choose = (edit: ExchangeEdit): readonly EditedPart<ResponseHead>[] => {
    chosen = edit;
    return queue.takeAll().flatMap((part) => edit.response?.(part) ?? []);
  };
  const decide = (part: Part<ResponseHead>): readonly EditedPart<ResponseHead>[] => {
    const [first] = part.is === 'body' ? blocks.push(part.raw).flatMap(({ event }) => event?.data || []) : [];
    if (part.is === 'end' || (first !== undefined && isAnswer(first))) return choose(shaping.whole);
    const isMuch = queue.cost > exchangeLimits.eventBytes;
    return first !== undefined || isMuch ? choose(answerWithin(shaping)) : [];
  };
  return {
    response: (part) => {
      if (chosen !== undefined) return chosen.response?.(part) ?? [];
      queue.add(part);
      return decide(part);
    },
    release: () => [...(chosen === undefined ? choose(shaping.whole) : []), ...(chosen?.release?.() ?? [])],
  };
}

function answerWithin({ about, reshape, felt, unfit }: StreamShaping): ExchangeEdit {
  return editedEvents(about, {
    edit: (raw, event) => {
      if (event === undefined || !isAnswer(event.data)) return [raw];
      const answer = reshape(raw);
      const isStream = answer?.status === 200 && mediaKind(answer.headers['content-type']) === 'events';
      return isStream ? wirePieces(answer, felt) : [raw, unfit];
    },
  });
}

function isAnswer(data: string): boolean {
  return rpcAnswersIn(looseJson(data)).length > 0;
}
