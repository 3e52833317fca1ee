/** What single shapes of OpenAI's responses change about the plain events. */
import { addedId } from '../openai-responses/changed-ids.ts';
import type { DraftEvent } from '../openai-responses/print-events.ts';
import { cutText } from '../turn/cut-text.ts';
import { seal } from '../turn/seal.ts';
import type { JsonObject, Turn, TurnPart } from '../turn/turn.ts';
import { isOfType } from './make-responses.ts';
import type { ShapeInput } from './shape.ts';

/** R05: it says that it is completed, with nothing, or with an item that was never done. */
export function completedEarly(drafts: readonly DraftEvent[], { random }: ShapeInput): readonly DraftEvent[] {
  const last = drafts.at(-1);
  const head = drafts.slice(0, 2);
  const begun = drafts.slice(2, -1).filter(({ type }) => !type.endsWith('.done'));
  const shown = random.next() < 0.5 ? [] : begun.slice(0, random.integer(1, begun.length));
  const response = {
    ...(last?.response as JsonObject),
    status: 'completed',
    incomplete_details: null,
    output: [],
  };
  return [...head, ...shown, { type: 'response.completed', response }];
}

/** R11: the first fragment of each call's arguments comes before the call. */
export function argumentsFirst(drafts: readonly DraftEvent[]): readonly DraftEvent[] {
  const moved = [...drafts];
  for (const added of drafts.filter(
    (draft) => draft.type.endsWith('item.added') && isOfType(draft.item, 'function_call'),
  )) {
    const first = moved.findIndex(
      (draft) =>
        draft.type === 'response.function_call_arguments.delta' && draft.output_index === added.output_index,
    );
    const [fragment] = moved.splice(first, 1);
    if (fragment !== undefined) moved.splice(moved.indexOf(added), 0, fragment);
  }
  return moved;
}

/** R12 */
export function withoutId(item: JsonObject): JsonObject {
  const { id: _, ...rest } = item;
  return isOfType(item, 'function_call') ? rest : item;
}

/** R16: a part is added with the fragment that comes next. */
export function partsWithText(drafts: readonly DraftEvent[]): readonly DraftEvent[] | undefined {
  const edited = drafts.map((draft, at) => {
    const next = drafts[at + 1];
    if (draft.type !== 'response.content_part.added' || next?.type !== 'response.output_text.delta')
      return draft;
    return { ...draft, part: { ...(draft.part as JsonObject), text: next.delta } };
  });
  return edited.some((draft, at) => draft !== drafts[at]) ? edited : undefined;
}

/** R17: a text is marked as done after its first half. */
export function doneTooEarly(drafts: readonly DraftEvent[]): readonly DraftEvent[] | undefined {
  const at = drafts.findIndex(
    ({ type, text }) => type === 'response.output_text.done' && String(text).length > 1,
  );
  const done = drafts[at];
  if (done === undefined) return undefined;
  const text = String(done.text);
  const [first = '', ...rest] = cutText(text, Math.ceil(text.length / 2));
  const { text: _, ...place } = done;
  const fragment = (delta: string): DraftEvent => ({ ...place, type: 'response.output_text.delta', delta });
  const others = drafts.filter(
    (draft) => draft.type !== 'response.output_text.delta' || !isSamePlace(draft, done),
  );
  const behind = others.indexOf(done);
  return rest.length === 0
    ? undefined
    : [
        ...others.slice(0, behind),
        fragment(first),
        { ...done, text: first },
        ...rest.map(fragment),
        ...others.slice(behind + 1),
      ];
}

function isSamePlace(a: DraftEvent, b: DraftEvent): boolean {
  return a.output_index === b.output_index && a.content_index === b.content_index;
}

/** R20: what it thought goes out encrypted, as the request asked, and only at the end of its item as it must be sent back. */
export function encryptedReasoning({ turn, random, asked, about }: ShapeInput): Turn | undefined {
  if (!asked.seals) return undefined;
  const value = {
    id: addedId('rs', about.id, 0),
    summary: [],
    encrypted_content: seal(random.hex(16)),
  };
  return { ...turn, parts: [{ kind: 'other', type: 'reasoning', value }, ...turn.parts] };
}

export function encryptedAnewWhenDone(draft: DraftEvent): DraftEvent {
  if (draft.type !== 'response.output_item.added' || !isOfType(draft.item, 'reasoning')) return draft;
  const item = draft.item as JsonObject;
  return item.encrypted_content === undefined
    ? draft
    : { ...draft, item: { ...item, encrypted_content: 'gAAAAbegun' } };
}

/** R22: the provider has searched the web itself, as the request offered. */
export function withWebSearch({ turn, asked, about }: ShapeInput): Turn | undefined {
  if (!asked.hosted.includes('web_search')) return undefined;
  const value = {
    id: addedId('ws', about.id, 0),
    status: 'completed',
    action: { type: 'search', query: 'weather' },
  };
  return { ...turn, parts: [{ kind: 'other', type: 'web_search_call', value }, ...turn.parts] };
}

/** R26: tools and pictures of the provider's own in addition to the turn, as far as the request offers them. */
export function withOthers({ turn, asked, about }: ShapeInput): Turn | undefined {
  const list = { id: addedId('mcpl', about.id, 0), server_label: 'notes', tools: [] };
  const call = {
    id: addedId('mcp', about.id, 1),
    server_label: 'notes',
    name: 'list',
    arguments: '{}',
    output: '[]',
    status: 'completed',
  };
  const image = { id: addedId('ig', about.id, 2), status: 'completed', result: 'AAAA' };
  const others: Readonly<Record<string, readonly TurnPart[]>> = {
    mcp: [
      { kind: 'other', type: 'mcp_list_tools', value: list },
      { kind: 'other', type: 'mcp_call', value: call },
    ],
    image_generation: [{ kind: 'other', type: 'image_generation_call', value: image }],
  };
  const offered = asked.hosted.flatMap((type) => (Object.hasOwn(others, type) ? (others[type] ?? []) : []));
  return offered.length === 0 ? undefined : { ...turn, parts: [...offered, ...turn.parts] };
}

const stages: Readonly<Record<string, readonly string[]>> = {
  web_search_call: ['in_progress', 'searching', 'completed'],
  mcp_list_tools: ['in_progress', 'completed'],
  mcp_call: ['in_progress', 'completed'],
  image_generation_call: ['in_progress', 'generating', 'partial_image', 'completed'],
};

/** The events that tools of the provider send between their beginning and their end. */
export function withStages(drafts: readonly DraftEvent[]): readonly DraftEvent[] {
  return drafts.flatMap((draft) => {
    const { item, output_index: index } = draft;
    const type = typeof item === 'object' && item !== null ? String((item as JsonObject).type) : '';
    if (draft.type !== 'response.output_item.added' || !Object.hasOwn(stages, type)) return [draft];
    const place = { item_id: (item as JsonObject).id, output_index: index };
    const more = (stage: string): JsonObject =>
      stage === 'partial_image' ? { partial_image_index: 0, partial_image_b64: 'AAAA' } : {};
    const between = (stages[type] ?? []).map((stage) => ({
      type: `response.${type}.${stage}`,
      ...place,
      ...more(stage),
    }));
    return [draft, ...between];
  });
}

/** R26: annotations, one for each text that is done. */
export function withAnnotations(drafts: readonly DraftEvent[]): readonly DraftEvent[] {
  return drafts.flatMap((draft) => {
    if (draft.type !== 'response.output_text.done') return [draft];
    const { item_id, output_index, content_index } = draft;
    const annotation = {
      type: 'url_citation',
      start_index: 0,
      end_index: 0,
      url: 'https://example.com',
      title: 'x',
    };
    const place = { item_id, output_index, content_index, annotation_index: 0 };
    return [{ type: 'response.output_text.annotation.added', ...place, annotation }, draft];
  });
}

/** R25: the events of several calls in turns. */
export function interleavedCalls(drafts: readonly DraftEvent[]): readonly DraftEvent[] | undefined {
  const indices = drafts.flatMap((draft) =>
    draft.type === 'response.output_item.added' && isOfType(draft.item, 'function_call')
      ? [draft.output_index]
      : [],
  );
  if (indices.length < 2) return undefined;
  const queues = indices.map((index) => drafts.filter((draft) => draft.output_index === index));
  const first = drafts.findIndex((draft) => draft.output_index === indices[0]);
  const others = drafts.filter((draft) => !indices.includes(draft.output_index));
  const mixed: DraftEvent[] = [];
  for (let round = 0; queues.some((queue) => queue.length > round); round += 1) {
    for (const queue of queues) mixed.push(...queue.slice(round, round + 1));
  }
  return [...others.slice(0, first), ...mixed, ...others.slice(first)];
}
