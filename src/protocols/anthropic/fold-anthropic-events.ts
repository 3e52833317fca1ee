/** Folds the events of a streamed Anthropic answer, and names the rules of the order of events that it breaks. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { TurnFold } from '../turn/dialect.ts';
import { readEventJson } from '../turn/event-json.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import { shownValue } from '../turn/fold-notes.ts';
import { addDelta, closeBlock, openBlock } from './anthropic-block.ts';
import { readError } from './anthropic-errors.ts';
import {
  createMessage,
  isFull,
  judgeEnd,
  type Message,
  readHead,
  readStop,
  turnOf,
} from './anthropic-message.ts';
import { countUsage } from './anthropic-usage.ts';

interface Stream extends Message {
  started: boolean;
  /** A `message_delta` gave the stop reason, so that no block may follow. */
  saidStop: boolean;
  /** Nothing that comes now belongs to this turn. */
  over: boolean;
}

export function createAnthropicFold(): TurnFold {
  const stream: Stream = Object.assign(createMessage(), { started: false, saidStop: false, over: false });
  return {
    push: ({ event, data }) => {
      stream.notes.event += 1;
      if (stream.over || data === '') return;
      if (stream.notes.event > foldLimits.events) {
        stream.notes.fault('too-large', `the stream has more than ${foldLimits.events} events`);
        stream.over = true;
      } else readEvent(stream, event, data);
    },
    end: (how) => {
      if (!stream.ended && stream.error === undefined && !stream.over) judgeCut(stream, how);
      stream.over = true;
      return turnOf(stream, true);
    },
    soFar: () => turnOf(stream, true),
  };
}

function readEvent(stream: Stream, name: string | undefined, data: string): undefined {
  if (data === '[DONE]')
    return stream.notes.oddity('done-mark', 'the stream has the end mark `[DONE]` of another dialect');
  const json = readEventJson(data, stream.notes);
  if (json === undefined) return;
  const type = typeof json.type === 'string' ? json.type : typeFromName(stream, json, name);
  if (name === undefined && isKnown(type))
    stream.notes.oddity('no-event-name', `the event of the type \`${type}\` has no name`, 'A24');
  if (name !== undefined && name !== type && name !== 'message' && isKnown(name))
    stream.notes.fault(
      'event-name',
      `the event is named ${shownValue(name)} and has the type ${shownValue(type)}`,
    );
  if (type === 'ping') return;
  if (stream.ended) {
    if (isKnown(type)) stream.notes.fault('after-stop', `\`${type}\` came after \`message_stop\``);
    return;
  }
  dispatch(stream, type, json, data.length);
}

function typeFromName(stream: Stream, json: JsonMap, name: string | undefined): string {
  const type = json.error === undefined ? name : 'error';
  if (type !== undefined && isKnown(type)) {
    stream.notes.oddity('no-type', `the data of an event \`${type}\` has no type`);
    return type;
  }
  stream.notes.fault('no-type', `an event has no type: ${shownValue(json)}`);
  return '';
}

const known: ReadonlySet<string> = new Set([
  'message_start',
  'message_delta',
  'message_stop',
  'content_block_start',
  'content_block_delta',
  'content_block_stop',
  'ping',
  'error',
]);

function isKnown(type: string): boolean {
  return known.has(type);
}

/** Types that are not known come from newer versions, and are left alone. */
function dispatch(stream: Stream, type: string, json: JsonMap, size: number): void {
  if (type === 'content_block_delta') readDelta(stream, json);
  else if (type === 'content_block_start') startBlock(stream, json, size);
  else if (type === 'content_block_stop') stopBlock(stream, json);
  else if (type === 'message_start') startMessage(stream, json);
  else if (type === 'message_delta') readMessageDelta(stream, json);
  else if (type === 'message_stop') stopMessage(stream);
  else if (type === 'error') {
    stream.error = readError(json, 0, stream.notes);
    stream.over = true;
  }
}

function startMessage(stream: Stream, { message }: JsonMap): void {
  const { notes } = stream;
  if (!isMap(message)) {
    notes.fault('start-form', `the message of \`message_start\` is ${shownValue(message)}`);
    stream.started = true;
    return;
  }
  if (stream.started) {
    startAgain(stream, message);
    return;
  }
  stream.started = true;
  if (Array.isArray(message.content) && message.content.length > 0)
    notes.oddity('start-content', '`message_start` carries content blocks', 'A04');
  readHead(stream, message);
  if (message.usage === undefined) notes.oddity('no-usage', '`message_start` has no usage');
}

/** A retry that was spliced into the answer must not be joined with what came before it. */
function startAgain(stream: Stream, message: JsonMap): undefined {
  if (typeof message.id === 'string' && message.id === stream.id)
    return stream.notes.oddity(
      'start-again',
      `\`message_start\` came again for ${shownValue(message.id)}`,
      'A05',
    );
  stream.notes.fault(
    'other-message',
    `the message ${shownValue(message.id)} began inside the message ${shownValue(stream.id)}`,
    'A06',
  );
  stream.over = true;
}

function startBlock(stream: Stream, { index, content_block }: JsonMap, size: number): void {
  const { notes, blocks, open } = stream;
  needStart(stream, 'content_block_start');
  if (stream.saidStop) notes.fault('after-stop-reason', 'a content block began after the stop reason');
  if (open !== undefined) {
    notes.fault(
      'block-still-open',
      `block ${shownValue(index)} began before block ${open.index} had stopped`,
      'A17',
    );
    closeBlock(open, notes);
    stream.open = undefined;
  }
  if (index !== blocks.length)
    notes.fault(
      'index-order',
      `a block has the index ${shownValue(index)}, and ${blocks.length} is next`,
      'A16',
    );
  if (isFull(stream)) {
    stream.over = true;
    return;
  }
  const at = typeof index === 'number' ? index : blocks.length;
  const block = openBlock({ raw: content_block, index: at, size }, notes, stream.room);
  if (block === undefined) return;
  const isFilled = block.text + block.signature !== '' || Object.keys(block.input ?? {}).length > 0;
  if (isFilled && begunEmpty.has(block.type))
    notes.oddity('block-content', `a \`${block.type}\` block starts with content`, 'A03');
  blocks.push(block);
  stream.open = block;
}

/** Blocks start empty, but for those that have no deltas. */
const begunEmpty: ReadonlySet<string> = new Set(['text', 'thinking', 'tool_use']);

function readDelta(stream: Stream, { index, delta }: JsonMap): void {
  const { open } = stream;
  if (open !== undefined && open.index === index) addDelta(open, delta, stream.notes, stream.room);
  else notOpen(stream, 'delta', index);
}

function stopBlock(stream: Stream, { index }: JsonMap): void {
  const { open } = stream;
  if (open !== undefined && open.index === index) {
    closeBlock(open, stream.notes);
    stream.open = undefined;
  } else notOpen(stream, 'stop', index);
}

function notOpen(stream: Stream, what: string, index: unknown): void {
  needStart(stream, `content_block_${what}`);
  const now = stream.open === undefined ? 'no block is open' : `block ${stream.open.index} is open`;
  stream.notes.fault('block-not-open', `a ${what} came for block ${shownValue(index)}, and ${now}`, 'A16');
}

function needStart(stream: Stream, type: string): void {
  if (stream.started) return;
  stream.started = true;
  stream.notes.fault('no-message-start', `\`${type}\` came before \`message_start\``);
}

function readMessageDelta(stream: Stream, { delta, usage }: JsonMap): void {
  needStart(stream, 'message_delta');
  needClosed(stream, 'message_delta');
  countUsage(stream.usage, usage);
  if (isMap(delta)) {
    readStop(stream, delta);
    if (typeof delta.stop_reason === 'string') stream.saidStop = true;
  } else stream.notes.fault('delta-form', `the delta of \`message_delta\` is ${shownValue(delta)}`);
}

function stopMessage(stream: Stream): void {
  needStart(stream, 'message_stop');
  needClosed(stream, 'message_stop');
  if (stream.stopWord === undefined)
    stream.notes.fault('no-stop-reason', '`message_stop` came without a stop reason');
  judgeEnd(stream);
  stream.ended = true;
}

function needClosed(stream: Stream, type: string): void {
  const { open, notes } = stream;
  if (open === undefined) return;
  notes.fault('block-still-open', `\`${type}\` came before block ${open.index} had stopped`);
  closeBlock(open, notes);
  stream.open = undefined;
}

function judgeCut(stream: Stream, how: 'end' | 'cut'): void {
  const { notes, open } = stream;
  const ended = how === 'cut' ? 'the stream was cut off' : 'the stream ended';
  if (!stream.started) notes.fault('no-message-start', `${ended} before \`message_start\``);
  else if (open !== undefined) notes.fault('no-message-stop', `${ended} inside block ${open.index}`, 'S27');
  else if (stream.stopWord === undefined)
    notes.fault('no-message-stop', `${ended} before a stop reason`, 'S27');
  else notes.fault('no-message-stop', `${ended} after the stop reason, without \`message_stop\``, 'A22');
}
