/** One content block of an Anthropic message between its start and its stop. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { isTooDeep, mostJsonLevels } from '../json-rpc/json-depth.ts';
import { type ReadArguments, readArguments } from '../openai-chat/call-arguments.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import { type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import type { FoldedPart, JsonObject } from '../turn/turn.ts';

type BrokenInput = Extract<ReadArguments, { readonly broken: string }>['broken'];

export interface Block {
  readonly index: number;
  readonly type: string;
  readonly raw: JsonMap;
  /** Of text and thinking. */
  text: string;
  signature: string;
  /** Fragments of the input, joined. */
  json: string;
  input?: JsonObject;
  /** Why `json` is not an input. */
  broken?: BrokenInput;
  /** At which event `broken` was found. */
  brokenAt?: number;
}

/** What the answer may still bring: texts, signatures, inputs and blocks of other kinds together. */
export interface Room {
  chars: number;
}

interface BlockSource {
  readonly raw: unknown;
  readonly index: number;
  /** Characters that it takes on the wire. */
  readonly size: number;
}

/** Undefined where it is not a block, or one too many; the notes then say why. */
export function openBlock(
  { raw, index, size }: BlockSource,
  notes: FoldNotes,
  room: Room,
): Block | undefined {
  if (!isMap(raw) || typeof raw.type !== 'string')
    return notes.fault('block-form', `the content block ${index} is ${shownValue(raw)} without a type`);
  const { type } = raw;
  const block: Block = { index, type, raw: shallow(raw, type, notes), text: '', signature: '', json: '' };
  if (type === 'text') block.text = take(raw.text ?? '', 'text', notes, room);
  else if (type === 'thinking') {
    block.text = take(raw.thinking ?? '', 'thinking', notes, room);
    block.signature = take(raw.signature ?? '', 'signature', notes, room);
  } else if (type === 'redacted_thinking') block.text = take(raw.data, 'data', notes, room);
  else {
    if (!spend(size, notes, room)) return undefined;
    if (type === 'tool_use') checkCall(raw, notes);
  }
  if (takesInput(block)) readInput(block, raw.input);
  return block;
}

/** An empty one announces fragments; one that is not an object is kept as its text. */
function readInput(block: Block, input: unknown): void {
  if (isMap(input)) block.input = input;
  else if (input !== undefined && input !== null)
    block.json = isTooDeep(input) ? '[' : typeof input === 'string' ? input : (JSON.stringify(input) ?? '');
}

/** Code that prints it later recurses into it. */
function shallow(raw: JsonMap, type: string, notes: FoldNotes): JsonMap {
  if (textual.has(type) || type === 'tool_use' || !isTooDeep(raw)) return raw;
  notes.fault('too-deep', `a \`${type}\` block has more than ${mostJsonLevels} levels`);
  return { type };
}

function checkCall(raw: JsonMap, notes: FoldNotes): void {
  for (const name of ['id', 'name']) {
    const value = raw[name];
    if (typeof value === 'string' && value !== '' && value.length <= foldLimits.nameChars) continue;
    notes.fault('call-form', `a \`tool_use\` block has the ${name} ${shownValue(value)}`);
  }
  if (raw.input !== undefined && !isMap(raw.input))
    notes.fault('call-form', `the input of a \`tool_use\` block is ${shownValue(raw.input)}, not an object`);
}

const textual: ReadonlySet<string> = new Set(['text', 'thinking', 'redacted_thinking']);

/** Calls of tools that the provider runs itself stream their input just as `tool_use` does. */
function takesInput({ type, raw }: Block): boolean {
  return type === 'tool_use' || (!textual.has(type) && 'input' in raw);
}

/** Deltas of unknown types are left alone, as are all deltas of unknown blocks. */
export function addDelta(block: Block, delta: unknown, notes: FoldNotes, room: Room): undefined {
  if (!isMap(delta))
    return notes.fault('delta-form', `the delta of block ${block.index} is ${shownValue(delta)}`);
  const { type } = delta;
  if (typeof type !== 'string')
    return notes.fault('delta-form', `a delta of block ${block.index} has the type ${shownValue(type)}`);
  const text = Object.hasOwn(textDeltas, type) ? textDeltas[type] : undefined;
  if (type === 'signature_delta' && block.signature !== '' && block.type === 'thinking')
    notes.oddity('signature-pieces', 'a signature comes in several deltas', 'A11');
  if (text !== undefined) {
    const { of, field, to } = text;
    if (fits(block, of, delta, notes)) block[to] += take(delta[field], field, notes, room);
  } else if (type === 'citations_delta') fits(block, 'text', delta, notes);
  else if (type === 'input_json_delta') {
    if (takesInput(block)) block.json += take(delta.partial_json, 'partial_json', notes, room);
    else fits(block, 'tool_use', delta, notes);
  }
}

/** The block that they belong to, the field in which the text comes, and where it is put. */
const textDeltas: Readonly<Record<string, { of: string; field: string; to: 'text' | 'signature' }>> = {
  text_delta: { of: 'text', field: 'text', to: 'text' },
  thinking_delta: { of: 'thinking', field: 'thinking', to: 'text' },
  signature_delta: { of: 'thinking', field: 'signature', to: 'signature' },
};

function fits(block: Block, type: string, delta: JsonMap, notes: FoldNotes): boolean {
  if (block.type === type) return true;
  if (textual.has(block.type) || block.type === 'tool_use')
    notes.fault(
      'delta-of-other-block',
      `a \`${delta.type}\` came inside block ${block.index}, which is \`${block.type}\``,
      'A18',
    );
  return false;
}

function take(value: unknown, name: string, notes: FoldNotes, room: Room): string {
  if (typeof value !== 'string') {
    notes.fault('field-type', `\`${name}\` is ${shownValue(value)}, not a string`);
    return '';
  }
  const left = room.chars;
  return spend(value.length, notes, room) ? value : value.slice(0, Math.max(0, left));
}

function spend(chars: number, notes: FoldNotes, room: Room): boolean {
  if (chars <= room.chars) {
    room.chars -= chars;
    return true;
  }
  notes.fault('too-large', `the answer has more than ${foldLimits.textChars} characters`);
  room.chars = -1;
  return false;
}

/** Whether the input is broken shows here; whether that is a fault, only with the reason of the end. */
export function closeBlock(block: Block, notes: FoldNotes): void {
  if (!takesInput(block)) return;
  if (block.json.trim() === '') {
    block.input ??= {};
    if (isTooDeep(block.input)) breakInput(block, 'too-deep', notes);
    return;
  }
  const read = readArguments(block.json);
  if ('arguments' in read) block.input = read.arguments;
  else breakInput(block, read.broken, notes);
}

function breakInput(block: Block, broken: BrokenInput, notes: FoldNotes): void {
  delete block.input;
  block.broken = broken;
  block.brokenAt = notes.event;
}

/** As far as it has come. */
export function partOf(block: Block, isOpen: boolean): FoldedPart {
  switch (block.type) {
    case 'text':
      return { kind: 'text', text: block.text };
    case 'thinking':
      return {
        kind: 'reasoning',
        text: block.text,
        ...(block.signature === '' ? {} : { signature: block.signature }),
      };
    case 'redacted_thinking':
      return { kind: 'reasoning', text: '', redacted: block.text };
    case 'tool_use':
      return callOf(block, isOpen);
    default:
      return { kind: 'other', type: block.type, value: otherValue(block) };
  }
}

function callOf(block: Block, isOpen: boolean): FoldedPart {
  const { id, name } = block.raw;
  const head = {
    kind: 'call' as const,
    id: typeof id === 'string' ? id.slice(0, foldLimits.nameChars) : '',
    name: typeof name === 'string' ? name.slice(0, foldLimits.nameChars) : '',
  };
  if (block.input === undefined || block.broken !== undefined || isOpen)
    return { ...head, argumentsText: block.json };
  return { ...head, arguments: block.input };
}

function otherValue(block: Block): unknown {
  return block.json === '' ? block.raw : { ...block.raw, input: block.input ?? block.json };
}
