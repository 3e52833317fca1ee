/** The rules that the Anthropic messages API holds a history to before it answers. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import { createFoldNotes, type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import { isSeal, seal, sealRule } from '../turn/seal.ts';
import type { WireFault } from '../turn/turn.ts';
import type { Spoken } from './read-anthropic-messages.ts';

/** What continues an answer stored at the provider is judged by code that has that answer. */
export function judgeAnthropicHistory(spoken: readonly Spoken[], isContinued: boolean): readonly WireFault[] {
  const notes = createFoldNotes('anthropic');
  const first = spoken[0];
  if (first !== undefined && first.role !== 'user' && !isContinued)
    notes.fault('first-role', `\`${first.path}\` is of the assistant; the user speaks first`);
  for (const message of spoken) judgeMessage(message, message === spoken.at(-1), notes);
  if (!isContinued) judgePairs(joined(spoken), notes);
  return notes.faults;
}

function judgeMessage({ role, blocks, path }: Spoken, isLast: boolean, notes: FoldNotes): void {
  if (blocks.length === 0 && !(isLast && role === 'assistant'))
    notes.fault('empty-message', `\`${path}\` has no content`);
  for (const [at, block] of blocks.entries()) judgeBlock(block, role, `${path}.content.${at}`, notes);
  const end = blocks.at(-1);
  if (isLast && role === 'assistant' && end?.type === 'text' && /\s$/.test(String(end.text)))
    notes.fault('trailing-space', `\`${path}\`, the last one, is of the assistant and ends with white space`);
}

function judgeBlock(block: JsonMap, role: Spoken['role'], path: string, notes: FoldNotes): void {
  const owner = ownerOf(block.type);
  if (owner !== undefined && owner !== role)
    notes.fault(
      'block-role',
      `\`${path}\` is a \`${block.type}\` of the ${role}; only the ${owner} has those`,
    );
  switch (block.type) {
    case 'text':
      if (typeof block.text !== 'string' || block.text.trim() === '')
        notes.fault('empty-text', `\`${path}\` is the text ${shownValue(block.text)}, which is blank`);
      return;
    case 'thinking':
      if (typeof block.signature !== 'string' || block.signature === '')
        notes.fault('no-signature', `\`${path}\` is thinking without the signature that came with it`);
      else if (block.signature !== seal(String(block.thinking)))
        notes.fault(sealRule, `${path}: Invalid \`signature\` in \`thinking\` block`);
      return;
    case 'redacted_thinking':
      if (typeof block.data !== 'string' || block.data === '')
        notes.fault('no-redacted-data', `\`${path}\` is redacted thinking without its data`);
      else if (!isSeal(block.data))
        notes.fault(sealRule, `${path}: Invalid \`data\` in \`redacted_thinking\` block`);
      return;
    case 'tool_use':
      judgeCall(block, path, notes);
      return;
    case 'tool_result':
      if (Array.isArray(block.content)) for (const inner of block.content) judgeImage(inner, path, notes);
      return;
    case 'image':
      judgeImage(block, path, notes);
  }
}

const imageTypes: readonly unknown[] = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'];

function judgeImage(block: unknown, path: string, notes: FoldNotes): void {
  const source = isMap(block) && block.type === 'image' ? block.source : undefined;
  if (!isMap(source) || source.type !== 'base64' || imageTypes.includes(source.media_type)) return;
  notes.fault(
    'image-type',
    `\`${path}\` has an image of the type ${shownValue(source.media_type)}: ${imageTypes.join(', ')}`,
  );
}

function ownerOf(type: unknown): Spoken['role'] | undefined {
  if (type === 'tool_result') return 'user';
  return type === 'tool_use' || type === 'thinking' || type === 'redacted_thinking' ? 'assistant' : undefined;
}

function judgeCall({ id, name, input }: JsonMap, path: string, notes: FoldNotes): void {
  if (typeof id !== 'string' || !/^[a-zA-Z0-9_-]+$/.test(id))
    notes.fault('call-id', `\`${path}.id\` is ${shownValue(id)}: letters, digits, _ and -`);
  if (typeof name !== 'string' || name === '')
    notes.fault('call-name', `\`${path}.name\` is ${shownValue(name)}`);
  if (!isMap(input)) notes.fault('call-input', `\`${path}.input\` is ${shownValue(input)}, not an object`);
}

interface Side {
  readonly role: Spoken['role'];
  readonly blocks: JsonMap[];
  readonly path: string;
}

/** Consecutive messages of one side count as one. */
export function joined(spoken: readonly Spoken[]): readonly Side[] {
  const sides: Side[] = [];
  for (const { role, blocks, path } of spoken) {
    const before = sides.at(-1);
    if (before?.role === role) for (const block of blocks) before.blocks.push(block);
    else sides.push({ role, blocks: [...blocks], path });
  }
  return sides;
}

/** Every call is answered in the very next message, once, before any other content. */
export function judgePairs(sides: readonly Side[], notes: FoldNotes): void {
  const seen = new Set<unknown>();
  let waiting = new Set<unknown>();
  for (const { role, blocks, path } of sides) {
    if (role === 'user') judgeResults(blocks, path, waiting, notes);
    waiting = new Set();
    if (role === 'user') continue;
    for (const { type, id } of blocks) {
      if (type !== 'tool_use') continue;
      if (seen.has(id))
        notes.fault('call-id-again', `\`${path}\` calls with the id ${shownValue(id)} once more`);
      seen.add(id);
      waiting.add(id);
    }
  }
  const last = sides.at(-1);
  if (waiting.size > 0 && last !== undefined)
    notes.fault(
      'call-without-result',
      `\`${last.path}\`, the last message, calls ${shownValue([...waiting][0])}, and nothing answers it`,
    );
}

function judgeResults(
  blocks: readonly JsonMap[],
  path: string,
  waiting: ReadonlySet<unknown>,
  notes: FoldNotes,
): void {
  const answered = new Set<unknown>();
  let spoke = false;
  for (const { type, tool_use_id: id } of blocks) {
    if (type !== 'tool_result') {
      spoke = true;
      continue;
    }
    if (spoke && waiting.size > 0)
      notes.fault(
        'results-first',
        `\`${path}\` has a \`tool_result\` after other blocks; results come first`,
      );
    if (answered.has(id))
      notes.fault('result-again', `\`${path}\` has two results for the call ${shownValue(id)}`);
    else if (!waiting.has(id))
      notes.fault(
        'result-without-call',
        `\`${path}\` has a result for ${shownValue(id)}, and the message before calls no such tool`,
      );
    answered.add(id);
  }
  const open = [...waiting].find((id) => !answered.has(id));
  if (open !== undefined)
    notes.fault(
      'call-without-result',
      `\`${path}\` does not answer the call ${shownValue(open)} of the message before it`,
    );
}
