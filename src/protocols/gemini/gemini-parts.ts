/** The parts of a Gemini answer: pieces of text joined, signatures of thoughts put where they belong. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { isTooDeep, mostJsonLevels } from '../json-rpc/json-depth.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import { type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import type { FoldedPart } from '../turn/turn.ts';

const mostParts = 2_000;

export interface PartList {
  /** Whether they had any content. `size` is their length on the wire, in characters. */
  add(parts: readonly unknown[], size: number): boolean;
  list(): readonly FoldedPart[];
  hasCalls(): boolean;
}

interface Draft {
  kind: 'text' | 'reasoning';
  text: string;
  signature?: string;
}

interface Growing {
  readonly notes: FoldNotes;
  readonly parts: (Draft | FoldedPart)[];
  readonly ids: Set<string>;
  calls: number;
  /** Characters that the answer may still bring. */
  room: number;
}

export function createPartList(notes: FoldNotes): PartList {
  const growing: Growing = { notes, parts: [], ids: new Set(), calls: 0, room: foldLimits.textChars };
  return {
    add: (parts, size) => {
      let said = false;
      if (parts.some(isLarge) && !spend(growing, size)) return true;
      for (const part of parts) said = addPart(growing, part) || said;
      return said;
    },
    list: () => growing.parts.map((part) => ({ ...part })),
    hasCalls: () => growing.calls > 0,
  };
}

/** Texts are counted one by one; of all else the chunk as a whole. */
function isLarge(part: unknown): boolean {
  return isMap(part) && typeof part.text !== 'string';
}

function addPart(growing: Growing, part: unknown): boolean {
  const { notes } = growing;
  if (!isMap(part)) {
    notes.fault('part-form', `a part is ${shownValue(part)}, not an object`);
    return false;
  }
  const signature = part.thoughtSignature ?? part.thought_signature;
  const said =
    typeof part.text === 'string'
      ? addText(growing, part, part.text, signature)
      : addOther(growing, part, signature);
  return said || signature !== undefined;
}

function addText(growing: Growing, part: JsonMap, text: string, signature: unknown): boolean {
  const kind = part.thought === true ? 'reasoning' : 'text';
  if (kind === 'text') addSignature(growing, signature);
  if (text !== '') {
    const last = growing.parts.at(-1);
    const joins = last?.kind === kind && !('signature' in last && last.signature !== undefined);
    const kept = spend(growing, text.length) ? text : '';
    if (joins) (last as Draft).text += kept;
    else if (hasRoom(growing)) growing.parts.push({ kind, text: kept });
  }
  if (kind === 'reasoning') addSignature(growing, signature);
  return text !== '';
}

/** It belongs to the reasoning right before it, if that has none yet, or represents reasoning that is not shown. */
function addSignature(growing: Growing, signature: unknown): undefined {
  if (signature === undefined || signature === null || signature === '') return;
  if (typeof signature !== 'string')
    return growing.notes.fault(
      'field-type',
      `\`thoughtSignature\` is ${shownValue(signature)}, not a string`,
    );
  if (!spend(growing, signature.length)) return;
  const before = growing.parts.at(-1);
  if (before?.kind === 'reasoning' && before.signature === undefined) (before as Draft).signature = signature;
  else if (hasRoom(growing)) growing.parts.push({ kind: 'reasoning', text: '', signature });
}

function addOther(growing: Growing, part: JsonMap, signature: unknown): boolean {
  addSignature(growing, signature);
  const call = part.functionCall ?? part.function_call;
  if (call !== undefined) {
    addCall(growing, call);
    return true;
  }
  if (part.text !== undefined && part.text !== null)
    growing.notes.fault('field-type', `\`text\` is ${shownValue(part.text)}, not a string`);
  const type = Object.keys(part).find((key) => !aboutPart.has(key));
  if (type === undefined || !hasRoom(growing)) return false;
  growing.parts.push({ kind: 'other', type, value: shallow(growing, part[type]) });
  return true;
}

/** What a part says about itself, in addition to its content. */
const aboutPart: ReadonlySet<string> = new Set([
  'text',
  'thought',
  'thoughtSignature',
  'thought_signature',
  'videoMetadata',
  'partMetadata',
  'mediaResolution',
]);

function addCall(growing: Growing, call: unknown): undefined {
  const { notes } = growing;
  if (!isMap(call) || typeof call.name !== 'string' || call.name === '')
    return notes.fault('call-form', `a function call is ${shownValue(call)} without a name`);
  if (growing.calls >= foldLimits.calls)
    return notes.fault('too-large', `the answer has more than ${foldLimits.calls} calls`);
  if (!hasRoom(growing)) return;
  growing.calls += 1;
  const head = {
    kind: 'call' as const,
    id: idOf(growing, call),
    name: call.name.slice(0, foldLimits.nameChars),
  };
  const args = call.args ?? {};
  if (isMap(args) && !isTooDeep(args)) growing.parts.push({ ...head, arguments: args });
  else {
    const why = isMap(args) ? `has more than ${mostJsonLevels} levels` : 'is not an object';
    notes.fault('call-form', `the arguments of ${shownValue(call.name)} are ${shownValue(args)}: it ${why}`);
    growing.parts.push({ ...head, argumentsText: isMap(args) ? '' : (JSON.stringify(args) ?? '') });
  }
}

/** Ids are optional; calls without one are distinguished by their position. */
function idOf({ notes, ids, calls }: Growing, { id }: JsonMap): string {
  if (id === undefined || id === null || id === '') return `call-${calls}`;
  if (typeof id !== 'string' || id.length > foldLimits.nameChars) {
    notes.fault('call-form', `the id of a call is ${shownValue(id)}`);
    return `call-${calls}`;
  }
  if (ids.has(id)) notes.fault('call-id-again', `two calls have the id ${shownValue(id)}`);
  ids.add(id);
  return id;
}

/** Code that prints it later recurses into it. */
function shallow({ notes }: Growing, value: unknown): unknown {
  if (!isTooDeep(value)) return value;
  notes.fault('too-deep', `a part has more than ${mostJsonLevels} levels`);
  return null;
}

function hasRoom({ parts, notes }: Growing): boolean {
  if (parts.length < mostParts) return true;
  notes.fault('too-large', `the answer has more than ${mostParts} parts`);
  return false;
}

function spend(growing: Growing, chars: number): boolean {
  if (chars <= growing.room) {
    growing.room -= chars;
    return true;
  }
  growing.room = -1;
  growing.notes.fault('too-large', `the answer has more than ${foldLimits.textChars} characters`);
  return false;
}
