/** Reads the messages of an Anthropic request: as blocks in the order of the wire, and as plain messages. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { RequestMessage } from '../turn/dialect.ts';
import { type FoldNotes, shownValue } from '../turn/fold-notes.ts';

/** One message with its blocks; a plain text has become its only block. */
export interface Spoken {
  readonly role: 'user' | 'assistant';
  readonly blocks: readonly JsonMap[];
  /** `messages.3` */
  readonly path: string;
}

export interface ReadMessages {
  readonly messages: readonly RequestMessage[];
  /** Without what the system says in between, which rules of turns do not count. */
  readonly spoken: readonly Spoken[];
  /** Tools that are added and withdrawn during the conversation, in order. */
  readonly toolChanges: readonly JsonMap[];
}

export function readMessages(messages: unknown, notes: FoldNotes): ReadMessages {
  if (!Array.isArray(messages) || messages.length === 0) {
    notes.fault('no-messages', `\`messages\` is ${shownValue(messages)}, not a list with a message in it`);
    return { messages: [], spoken: [], toolChanges: [] };
  }
  const all = messages.flatMap((message, at) => readSpoken(message, `messages.${at}`, notes) ?? []);
  return {
    messages: all.flatMap(plainMessages),
    spoken: all.filter(isOfASide),
    toolChanges: all.flatMap(({ blocks }) => blocks.flatMap(toolChangesIn)),
  };
}

/** A block that summarizes an older part of the conversation has the changes of that part in it. */
function toolChangesIn(block: JsonMap): readonly JsonMap[] {
  if (block.type === 'tool_addition' || block.type === 'tool_removal') return [block];
  return block.type === 'compaction' && Array.isArray(block.tool_changes)
    ? block.tool_changes.filter(isMap)
    : [];
}

interface AnySpoken extends Omit<Spoken, 'role'> {
  readonly role: Spoken['role'] | 'system';
}

function isOfASide(spoken: AnySpoken): spoken is Spoken {
  return spoken.role !== 'system';
}

function readSpoken(message: unknown, path: string, notes: FoldNotes): AnySpoken | undefined {
  if (!isMap(message))
    return notes.fault('message-form', `\`${path}\` is ${shownValue(message)}, not an object`);
  const { role, content } = message;
  if (role !== 'user' && role !== 'assistant' && role !== 'system')
    return notes.fault(
      'role',
      `\`${path}.role\` is ${shownValue(role)}, neither "user" nor "assistant" nor "system"`,
    );
  return { role, blocks: readBlocks(content, `${path}.content`, notes), path };
}

function readBlocks(content: unknown, path: string, notes: FoldNotes): readonly JsonMap[] {
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  if (!Array.isArray(content)) {
    notes.fault('content-form', `\`${path}\` is ${shownValue(content)}, neither text nor a list of blocks`);
    return [];
  }
  return content.filter((block, at): block is JsonMap => {
    if (isMap(block) && typeof block.type === 'string') return true;
    notes.fault('block-form', `\`${path}.${at}\` is ${shownValue(block)} without a type`);
    return false;
  });
}

/** Tool results and the user's text next to them are two messages, as in other dialects. */
function plainMessages({ role, blocks }: AnySpoken): readonly RequestMessage[] {
  const results = blocks.filter(({ type }) => type === 'tool_result').map(resultOf);
  const calls = blocks.filter(({ type }) => type === 'tool_use').map(callOf);
  const said = { role, text: textOf(blocks), calls, results: [] };
  if (results.length === 0) return [said];
  const toolMessage: RequestMessage = { role: 'tool', text: '', calls: [], results };
  return blocks.every(({ type }) => type === 'tool_result') ? [toolMessage] : [toolMessage, said];
}

function callOf({ id, name, input }: JsonMap): RequestMessage['calls'][number] {
  return {
    id: typeof id === 'string' ? id : '',
    name: typeof name === 'string' ? name : '',
    arguments: input,
  };
}

function resultOf({ tool_use_id, content, is_error }: JsonMap): RequestMessage['results'][number] {
  return {
    id: typeof tool_use_id === 'string' ? tool_use_id : '',
    text: textOf(content),
    ...(is_error === true ? { isError: true } : {}),
  };
}

/** Of a text or of a list of blocks: all that can be read in it. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  const texts: string[] = [];
  for (const block of content)
    if (isMap(block) && block.type === 'text' && typeof block.text === 'string') texts.push(block.text);
  return texts.join('\n');
}
