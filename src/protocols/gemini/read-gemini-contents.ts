/** Reads the contents of a Gemini request: as parts in the order of the wire, and as plain messages. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { RequestMessage } from '../turn/dialect.ts';
import { type FoldNotes, shownValue } from '../turn/fold-notes.ts';

export interface Content {
  readonly role: 'user' | 'model';
  readonly parts: readonly JsonMap[];
  readonly calls: readonly JsonMap[];
  readonly results: readonly JsonMap[];
  /** `contents[3]` */
  readonly path: string;
}

/** Names may be in either of the two spellings that the provider accepts. */
export function field(map: JsonMap, name: string): unknown {
  return map[name] ?? map[name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)];
}

/** Where the provider expects a list, it accepts a single value too. */
export function listOf(value: unknown): unknown {
  return isMap(value) ? [value] : value;
}

export function readContents(contents: unknown, notes: FoldNotes): readonly Content[] {
  const list = listOf(contents);
  if (!Array.isArray(list) || list.length === 0) {
    notes.fault('no-contents', `\`contents\` is ${shownValue(contents)}, not a list with a content in it`);
    return [];
  }
  return list.flatMap((content, at) => readContent(content, `contents[${at}]`, notes) ?? []);
}

function readContent(content: unknown, path: string, notes: FoldNotes): Content | undefined {
  if (!isMap(content))
    return notes.fault('content-form', `\`${path}\` is ${shownValue(content)}, not an object`);
  const role = roleOf(content.role);
  if (role === undefined)
    return notes.fault('role', `\`${path}.role\` is ${shownValue(content.role)}, neither "user" nor "model"`);
  if (content.parts !== undefined && !Array.isArray(listOf(content.parts)))
    notes.fault('parts-form', `\`${path}.parts\` is ${shownValue(content.parts)}, not a list`);
  const parts = partsOf(content);
  return {
    role,
    parts,
    calls: parts.map((part) => field(part, 'functionCall')).filter(isMap),
    results: parts.map((part) => field(part, 'functionResponse')).filter(isMap),
    path,
  };
}

/** Results of functions have had a role of their own. */
function roleOf(role: unknown): Content['role'] | undefined {
  if (role === undefined || role === null || role === '' || role === 'function') return 'user';
  return role === 'user' || role === 'model' ? role : undefined;
}

export function partsOf(content: unknown): readonly JsonMap[] {
  if (typeof content === 'string') return [{ text: content }];
  const parts = isMap(content) ? listOf(content.parts) : undefined;
  return Array.isArray(parts) ? parts.filter(isMap) : [];
}

/** All readable text, without thoughts. */
export function textOf(parts: readonly JsonMap[]): string {
  const texts: string[] = [];
  for (const { text, thought } of parts)
    if (typeof text === 'string' && text !== '' && thought !== true) texts.push(text);
  return texts.join('\n');
}

export function plainMessage({ role, parts, calls, results }: Content): RequestMessage {
  return {
    role: results.length > 0 ? 'tool' : role === 'model' ? 'assistant' : 'user',
    text: textOf(parts),
    calls: calls.map(({ id, name, args }) => ({ id: word(id), name: word(name), arguments: args ?? {} })),
    results: results.map(({ id, name, response }) => ({
      id: word(id) || word(name),
      text: typeof response === 'string' ? response : (JSON.stringify(response) ?? ''),
      ...(isMap(response) && response.error !== undefined ? { isError: true } : {}),
    })),
  };
}

function word(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
