/** From the events of a streamed answer to the turn that they carry. */
import { defined } from '../../kernel/defined.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { isTooDeep, mostJsonLevels } from '../json-rpc/json-depth.ts';
import type { TurnFold } from '../turn/dialect.ts';
import { readEventJson } from '../turn/event-json.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import { createFoldNotes, type FoldNotes, foldedTurn, shownValue } from '../turn/fold-notes.ts';
import type { FoldedTurn, TurnError, Usage } from '../turn/turn.ts';
import { createItemBook, mostPlaces, textOf } from './item-book.ts';
import { type Building, itemEvent } from './item-events.ts';
import { itemParts } from './item-parts.ts';
import type { OpenItem } from './open-item.ts';
import { endingOf, readError, readUsage } from './read-response.ts';
import { createAllowance, takeItem } from './take-item.ts';

interface State extends Building {
  id: string | undefined;
  model: string | undefined;
  hasCreated: boolean;
  sequence: number;
  end: End | undefined;
  usage: Usage | null;
}

type End =
  | { readonly status: 'completed' | 'incomplete'; readonly response: JsonMap }
  | { readonly status: 'failed'; readonly error: TurnError };

export function createResponsesFold(): TurnFold {
  const notes = createFoldNotes('responses');
  const state: State = {
    book: createItemBook(notes),
    notes,
    allowance: createAllowance(notes),
    id: undefined,
    model: undefined,
    hasCreated: false,
    sequence: -1,
    end: undefined,
    usage: null,
  };
  let folded: FoldedTurn | undefined;
  return {
    push: (event) => {
      if (folded !== undefined) return;
      notes.event += 1;
      if (notes.event <= foldLimits.events) readEvent(state, event);
      else notes.fault('too-many-events', `there are more than ${foldLimits.events} events`);
    },
    end: (how) => {
      if (folded !== undefined) return folded;
      reportMissing(state, how);
      folded = turnOf(state, notes);
      return folded;
    },
    soFar: () => folded ?? turnOf(state, undefined),
  };
}

function readEvent(
  state: State,
  { event, data }: { readonly event?: string; readonly data: string },
): undefined {
  const value = readData(data, state.notes);
  if (value === undefined) return;
  const type = textOf(value.type) ?? (event === 'message' ? undefined : event);
  if (type === undefined && value.error === undefined)
    return state.notes.fault('no-type', `an event has no type: ${shownValue(data)}`);
  readSequence(state, value);
  const build = type === undefined ? undefined : itemEvent(type);
  if (build !== undefined) {
    if (!isOver(state, type ?? '')) build(value, state);
  } else readWholeEvent(state, type ?? 'error', value);
}

/** Undefined for what is not an event of this dialect, which is reported where it breaks a rule. */
function readData(data: string, notes: FoldNotes): JsonMap | undefined {
  if (data.length < 16 && data.trim() === '[DONE]')
    return notes.oddity('done-mark', 'the stream has the end mark `[DONE]` of another dialect');
  const value = readEventJson(data, notes);
  if (value === undefined || !isTooDeep(value)) return value;
  return notes.fault('too-deep', `an event has more than ${mostJsonLevels} levels`);
}

/** Gateways renumber and leave numbers out; what is lost with an event shows in its text. */
function readSequence(state: State, { sequence_number: number, type }: JsonMap): void {
  if (typeof number !== 'number') return;
  if (number <= state.sequence)
    state.notes.oddity('sequence', `${shownValue(type)} has the number ${number} after ${state.sequence}`);
  state.sequence = Math.max(state.sequence, number);
}

function isOver({ end, notes }: State, type: string): boolean {
  if (end !== undefined) notes.fault('after-end', `${shownValue(type)} came after the end of the answer`);
  return end !== undefined;
}

/** Events about the answer as a whole. What is unknown is ignored: new types come without notice. */
function readWholeEvent(state: State, type: string, value: JsonMap): void {
  const response = isMap(value.response) ? value.response : {};
  if (type === 'response.created') readCreated(state, response);
  else if (type === 'response.completed' || type === 'response.incomplete') {
    if (!isOver(state, type))
      finish(state, type === 'response.completed' ? 'completed' : 'incomplete', response);
  } else if (type === 'response.failed') {
    if (!isOver(state, type)) fail(state, readError(response.error, 'server_error'), response);
  } else if (type === 'error') {
    if (!isOver(state, type)) fail(state, readError(value, 'error'), {});
  } else if (/keep_?alive$/.test(type) && (type !== 'keepalive' || value.sequence_number === undefined))
    state.notes.oddity('keepalive', `a sign of life came as ${shownValue(type)}`, 'R02');
}

function readCreated(state: State, response: JsonMap): void {
  const { notes } = state;
  const id = textOf(response.id);
  if (state.hasCreated) {
    const isSame = id !== undefined && id === state.id;
    if (isSame) notes.oddity('created-again', `the answer ${shownValue(id)} was created twice`);
    else notes.fault('created-twice', `the answer ${shownValue(state.id)} continues as ${shownValue(id)}`);
  }
  state.hasCreated = true;
  if (response.status === 'completed')
    notes.fault('created-completed', 'the answer was created with the status "completed"', 'R19');
  readAbout(state, response);
}

function readAbout(state: State, response: JsonMap): void {
  state.id ??= textOf(response.id);
  state.model ??= textOf(response.model);
  state.usage = readUsage(response.usage) ?? state.usage;
}

function finish(state: State, said: 'completed' | 'incomplete', response: JsonMap): void {
  const { notes } = state;
  const { status } = response;
  if (!state.hasCreated) notes.oddity('not-created', 'the answer ended and was never created');
  if (
    typeof status === 'string' &&
    ['failed', 'cancelled', 'incomplete', 'completed'].includes(status) &&
    status !== said
  )
    notes.fault('status-differs', `response.${said} has the status ${shownValue(status)}`);
  readAbout(state, response);
  closeItems(state, said, response.output);
  state.end = { status: said, response: { incomplete_details: response.incomplete_details } };
}

function fail(state: State, error: TurnError, response: JsonMap): void {
  readAbout(state, response);
  state.end = { status: 'failed', error };
}

function reportMissing({ end, notes, book }: State, how: 'end' | 'cut'): void {
  if (end !== undefined) return;
  const cut = how === 'cut' ? 'was cut off' : 'ended';
  if (notes.event === 0 && book.inOrder().length === 0)
    notes.fault('nothing', `the stream ${cut} before its first event`, 'R24');
  else notes.fault('no-end', `the stream ${cut} before the answer was completed`, 'R08');
}

/** With notes, what is missing counts as missing. */
function turnOf(state: State, notes: FoldNotes | undefined): FoldedTurn {
  const { end, id, model, usage } = state;
  const parts = state.book.inOrder().flatMap((item) => itemParts(item, notes));
  const ending =
    end !== undefined && end.status !== 'failed' ? endingOf(end.status, end.response, parts) : undefined;
  return foldedTurn('openai-responses', state.notes, {
    streamed: true,
    ended: ending !== undefined,
    parts,
    ...ending,
    usage,
    ...defined({ id, model, error: end?.status === 'failed' ? end.error : undefined }),
  });
}

function closeItems(building: Building, status: 'completed' | 'incomplete', output: unknown): void {
  const { book, notes } = building;
  const streamed = book.inOrder();
  reconcile(building, Array.isArray(output) ? output.slice(0, mostPlaces) : []);
  const isLacking = streamed.some(({ isReconciled }) => !isReconciled);
  if (isLacking)
    notes.oddity('output-lacks-items', 'the output at the end lacks items that were streamed', 'R09');
  const items = book.inOrder();
  if (items.length === 0 && status === 'completed')
    notes.fault('completed-empty', 'the answer is completed and has nothing in it', 'R05');
  for (const item of items) closeItem(item, status, building);
}

function reconcile({ book, ...building }: Building, output: readonly unknown[]): void {
  for (const [k, value] of output.entries()) {
    if (!isMap(value)) building.notes.fault('no-item', `the output holds ${shownValue(value)}`);
    const item = isMap(value) ? book.reconcile(value, k) : undefined;
    if (item === undefined || !isMap(value)) continue;
    item.isReconciled = true;
    takeItem(item, value, { ...building, when: 'done' });
  }
}

function closeItem(item: OpenItem, status: 'completed' | 'incomplete', { notes }: Building): void {
  const { index } = item;
  if (!item.isAdded && item.isReconciled && !item.isDone)
    notes.oddity('only-at-end', `the item ${index} came with the end of the answer alone`, 'R13');
  else if (!item.isAdded && !item.isDone) notes.fault('not-added', `the item ${index} was never added`);
  if (!item.isDone && (item.isReconciled || isWhole(item))) {
    notes.oddity('done-unsaid', `no event marked the item ${index} as done`, 'R13');
    item.isDone = true;
  }
  if (status === 'incomplete') {
    item.isIncomplete ||= !item.isDone;
    return;
  }
  if (!item.isDone) notes.fault('not-done', `the answer is completed and the item ${index} is not`, 'R05');
  else if (item.isIncomplete)
    notes.fault('not-done', `the answer is completed and the item ${index} is incomplete`, 'R05');
}

/** Each of its texts was marked as complete. */
function isWhole({ type, input, content, summary }: OpenItem): boolean {
  if (type === 'function_call' || type === 'custom_tool_call') return input.final !== undefined;
  const slots = [...content.values(), ...summary.values()];
  return slots.length > 0 && slots.every((slot) => slot.final !== undefined);
}
