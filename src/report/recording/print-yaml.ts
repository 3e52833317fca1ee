/** Plain data as YAML that a person would write: short values on one line, long ones in blocks. Pure. */
import { isMap } from '../../kernel/is-map.ts';

const mostColumns = 110;

/** A document, or a part of one at this indentation. Undefined parts are omitted. */
export function printYaml(value: Readonly<Record<string, unknown>>, indent = 0): string {
  return blockMap(value, indent).join('\n');
}

function blockMap(map: Readonly<Record<string, unknown>>, indent: number): readonly string[] {
  return entriesOf(map).flatMap(([name, value]) => entry(`${keyText(name)}:`, value, indent));
}

/** A key or a dash, and the value after it or below. */
function entry(head: string, value: unknown, indent: number): readonly string[] {
  const space = ' '.repeat(indent);
  const short = `${space}${head} ${flow(value)}`;
  const isLeaf = !isMap(value) && !Array.isArray(value);
  if (isLeaf || (short.length <= mostColumns && !isWide(value))) return [short];
  if (Array.isArray(value))
    return [`${space}${head}`, ...value.flatMap((item) => listItem(item, indent + 2))];
  return [`${space}${head}`, ...blockMap(value as Readonly<Record<string, unknown>>, indent + 2)];
}

function listItem(item: unknown, indent: number): readonly string[] {
  if (!isMap(item)) return entry('-', item, indent);
  const short = `${' '.repeat(indent)}- ${flow(item)}`;
  if (short.length <= mostColumns) return [short];
  const [first = '', ...rest] = blockMap(item, indent + 2);
  return [`${' '.repeat(indent)}- ${first.trimStart()}`, ...rest];
}

/** Lists of lines are easier to read one per line, however short they are. */
function isWide(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 1 && value.every(isMap);
  return isMap(value) && Object.values(value).some(isWide);
}

function flow(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map(flow).join(', ')}]`;
  if (isMap(value)) {
    const inner = entriesOf(value).map(([name, part]) => `${keyText(name)}: ${flow(part)}`);
    return inner.length === 0 ? '{}' : `{ ${inner.join(', ')} }`;
  }
  return typeof value === 'string' ? scalar(value) : (JSON.stringify(value) ?? 'null');
}

const plainWords = /^[A-Za-z_/][\w./-]*(?: (?:->|[\w./-]+))*$/;
const otherMeaning = /^(?:true|false|null|yes|no|on|off|y|n)$/i;

/** JSON is YAML on one line; an unambiguous text needs no quotes. */
function scalar(text: string): string {
  return plainWords.test(text) && !otherMeaning.test(text) ? text : JSON.stringify(text);
}

function keyText(name: string): string {
  return name === 'on' || scalar(name) === name || /^\$[A-Za-z]+$/.test(name) || name === '*'
    ? quotedStar(name)
    : JSON.stringify(name);
}

/** A bare star would be an alias. */
function quotedStar(name: string): string {
  return name === '*' ? '"*"' : name;
}

function entriesOf(map: Readonly<Record<string, unknown>>): readonly (readonly [string, unknown])[] {
  return Object.entries(map).filter(([, value]) => value !== undefined);
}
