/** What has come of an Anthropic message, from a stream or a body, and the rules that are judged at its end. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { mostJsonLevels } from '../json-rpc/json-depth.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import { createFoldNotes, type FoldNotes, foldedTurn, shownValue } from '../turn/fold-notes.ts';
import type { FoldedPart, FoldedTurn, TurnError } from '../turn/turn.ts';
import { type Block, closeBlock, openBlock, partOf, type Room } from './anthropic-block.ts';
import { readError } from './anthropic-errors.ts';
import { countUsage, type UsageCount, usageOf } from './anthropic-usage.ts';
import { stopOfWord } from './anthropic-words.ts';

const mostBlocks = 2_000;

export interface Message {
  readonly notes: FoldNotes;
  readonly room: Room;
  readonly usage: UsageCount;
  readonly blocks: Block[];
  open?: Block | undefined;
  id?: string;
  model?: string;
  stopWord?: string;
  /** What the provider says about a refusal. */
  explanation?: string;
  error?: TurnError;
  /** Its end mark was seen. */
  ended: boolean;
}

export function createMessage(): Message {
  return {
    notes: createFoldNotes('anthropic'),
    room: { chars: foldLimits.textChars },
    usage: {},
    blocks: [],
    ended: false,
  };
}

/** The fields that a body and the start of a stream have alike, including blocks that are complete there. */
export function readHead(message: Message, raw: JsonMap): undefined {
  if (typeof raw.id === 'string') message.id = raw.id.slice(0, foldLimits.nameChars);
  if (typeof raw.model === 'string') message.model = raw.model.slice(0, foldLimits.nameChars);
  countUsage(message.usage, raw.usage);
  readStop(message, raw);
  if (raw.content === undefined || raw.content === null) return;
  if (!Array.isArray(raw.content))
    return message.notes.fault(
      'content-form',
      `the content of the message is ${shownValue(raw.content)}, not a list`,
    );
  for (const block of raw.content) {
    if (isFull(message)) return;
    const opened = openBlock(
      { raw: block, index: message.blocks.length, size: 0 },
      message.notes,
      message.room,
    );
    if (opened === undefined) continue;
    closeBlock(opened, message.notes);
    message.blocks.push(opened);
  }
}

export function readStop(message: Message, raw: JsonMap): void {
  if (typeof raw.stop_reason === 'string') message.stopWord = raw.stop_reason.slice(0, foldLimits.nameChars);
  else if (raw.stop_reason !== undefined && raw.stop_reason !== null)
    message.notes.fault('field-type', `\`stop_reason\` is ${shownValue(raw.stop_reason)}, not a string`);
  const details = raw.stop_details;
  if (isMap(details) && details.type === 'refusal' && typeof details.explanation === 'string')
    message.explanation = details.explanation.slice(0, foldLimits.textChars);
}

export function isFull(message: Message): boolean {
  if (message.blocks.length < mostBlocks) return false;
  message.notes.fault('too-large', `the answer has more than ${mostBlocks} content blocks`);
  return true;
}

/** The rules that only the whole message can break. */
export function judgeEnd(message: Message): void {
  const { notes, blocks, stopWord } = message;
  judgeInputs(message);
  if (stopWord === 'tool_use' && !blocks.some(({ type }) => type === 'tool_use'))
    notes.fault('no-calls', 'the stop reason is `tool_use`, and no tool is called', 'A20');
  const ids = new Set<unknown>();
  for (const { type, raw } of blocks) {
    if (type !== 'tool_use') continue;
    if (ids.has(raw.id)) notes.fault('call-id-again', `two calls have the id ${shownValue(raw.id)}`);
    ids.add(raw.id);
  }
}

const brokenInputs = {
  cut: 'is cut off',
  several: 'is several objects',
  'no-object': 'is not a JSON object',
  'too-deep': `has more than ${mostJsonLevels} levels`,
} as const;

/** The last input may be cut off where the provider says that it had to stop there. */
function judgeInputs({ notes, blocks, stopWord }: Message): void {
  const stop = stopOfWord(stopWord ?? '');
  const mayCut = stop === 'length' || stop === 'context' || stop === 'refusal';
  for (const block of blocks) {
    if (block.broken === undefined || (block.broken === 'cut' && mayCut && block === blocks.at(-1))) continue;
    const at = notes.event;
    notes.event = block.brokenAt ?? at;
    notes.fault(
      'input-form',
      `the input of block ${block.index} ${brokenInputs[block.broken]}: ${shownValue(block.json)}`,
      'A10',
    );
    notes.event = at;
  }
}

export function turnOf(message: Message, streamed: boolean): FoldedTurn {
  const { notes, ended, stopWord = '', usage } = message;
  const stop = message.stopWord === undefined ? null : stopOfWord(stopWord);
  const parts = partsOf(message);
  return foldedTurn('anthropic', notes, { ...message, streamed, ended, parts, stop, usage: usageOf(usage) });
}

function partsOf({ blocks, open, explanation }: Message): readonly FoldedPart[] {
  const parts = blocks.map((block) => partOf(block, block === open));
  if (explanation !== undefined && explanation !== '') parts.push({ kind: 'refusal', text: explanation });
  return parts;
}

export function foldAnthropicBody(body: unknown, status: number): FoldedTurn {
  const message = createMessage();
  const { notes } = message;
  const isRefused = status >= 400;
  if (isRefused || (isMap(body) && (body.type === 'error' || isMap(body.error)))) {
    message.error = readError(body, status, notes);
    if (!isRefused) notes.fault('error-status', `an error came with the status ${status}`);
    return turnOf(message, false);
  }
  if (!isMap(body)) {
    notes.fault('body-form', `the body is ${shownValue(body)}, not a message`);
    return turnOf(message, false);
  }
  if (body.type !== 'message')
    notes.fault('body-form', `the body has the type ${shownValue(body.type)}, not "message"`);
  if (!Array.isArray(body.content)) notes.fault('body-form', 'the message has no content');
  if (body.usage === undefined) notes.oddity('no-usage', 'the message has no usage');
  readHead(message, body);
  if (message.stopWord === undefined) notes.fault('no-stop-reason', 'the message does not say why it ended');
  judgeEnd(message);
  message.ended = true;
  return turnOf(message, false);
}
