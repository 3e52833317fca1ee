/** Makes answers of OpenAI's responses in the shapes of the corpus: the plain events, and what is changed about them. */
import { type DraftEvent, draftEvents, numbered } from '../openai-responses/print-events.ts';
import { printResponse } from '../openai-responses/print-response.ts';
import type { PrintedEvent } from '../turn/dialect.ts';
import type { JsonObject, Turn } from '../turn/turn.ts';
import type { MakeAnswer, ShapeInput, WireAnswer } from './shape.ts';
import { answerOfBody, answerOfEvents } from './wire-answer.ts';

/** Undefined where the turn has nothing to change. */
type Edit = (drafts: readonly DraftEvent[], input: ShapeInput) => readonly DraftEvent[] | undefined;

/** A stream with something changed before its events are numbered; where one body was asked for, there is no such shape. */
export function streamedAs(edit: Edit): MakeAnswer {
  return (input) => {
    if (!input.streamed) return undefined;
    const drafts = edit(draftEvents(input.turn, input.about), input);
    return drafts === undefined ? undefined : answerOfEvents(numbered(drafts));
  };
}

/** The same, whether it is streamed or not: the turn itself is another one, or its object. */
export function bothAs(
  turnFor: (input: ShapeInput) => Turn | undefined,
  edit: Edit = (drafts) => drafts,
  editBody: (body: JsonObject) => JsonObject = (body) => body,
): MakeAnswer {
  return (input) => {
    const turn = turnFor(input);
    if (turn === undefined) return undefined;
    if (!input.streamed) return answerOfBody(editBody(printResponse(turn, input.about)));
    return streamedAs(edit)({ ...input, turn });
  };
}

/** Puts events without a number in between. */
export function streamedWith(extra: (input: ShapeInput) => PrintedEvent): MakeAnswer {
  return (input) => {
    if (!input.streamed) return undefined;
    const events = [...numbered(draftEvents(input.turn, input.about))];
    const times = input.random.integer(1, 3);
    for (let i = 0; i < times; i += 1) {
      events.splice(input.random.integer(1, events.length - 1), 0, extra(input));
    }
    return answerOfEvents(events);
  };
}

/** Cuts the stream before its last event, at least behind its first, and puts other events there. */
export function cutWith(
  ending: (input: ShapeInput, last: DraftEvent) => readonly DraftEvent[],
  end: (input: ShapeInput) => WireAnswer['end'] = () => 'whole',
): MakeAnswer {
  return (input) => {
    if (!input.streamed) return undefined;
    const drafts = draftEvents(input.turn, input.about);
    const kept = drafts.slice(0, input.random.integer(1, drafts.length - 1));
    const last = drafts.at(-1);
    const events = numbered(last === undefined ? kept : [...kept, ...ending(input, last)]);
    return answerOfEvents(events, { end: end(input) });
  };
}

/** Each event changed by itself, those for which nothing is given left out. */
export function eachEvent(change: (draft: DraftEvent, input: ShapeInput) => DraftEvent | undefined): Edit {
  return (drafts, input) => drafts.flatMap((draft) => change(draft, input) ?? []);
}

/** Where the turn has such an item. */
export function where(type: 'function_call' | 'message', edit: Edit): Edit {
  return (drafts, input) =>
    drafts.some(({ item }) => isOfType(item, type)) ? edit(drafts, input) : undefined;
}

export function isOfType(item: unknown, type: string): boolean {
  return typeof item === 'object' && item !== null && (item as JsonObject).type === type;
}

/** Every item of an event changed: its own, and those in the output of the whole answer. */
export function changeItems(draft: DraftEvent, change: (item: JsonObject) => JsonObject): DraftEvent {
  const { item, response } = draft;
  const output = (response as JsonObject | undefined)?.output;
  return {
    ...draft,
    ...(item === undefined ? {} : { item: change(item as JsonObject) }),
    ...(Array.isArray(output)
      ? { response: { ...(response as JsonObject), output: output.map(change) } }
      : {}),
  };
}

export function changeLast(
  drafts: readonly DraftEvent[],
  change: (response: JsonObject) => JsonObject,
): readonly DraftEvent[] {
  const last = drafts.at(-1);
  if (last === undefined) return drafts;
  return [...drafts.slice(0, -1), { ...last, response: change(last.response as JsonObject) }];
}
