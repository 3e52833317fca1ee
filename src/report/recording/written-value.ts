/** Values of a journal as written into a trial: what differs in every run becomes a reference. Pure. */
import { isSecretField } from '../../journal/secret-fields.ts';
import { idsIn } from '../../journal/steady-value.ts';
import { isContainer } from '../../kernel/exact-json.ts';

export interface WritingContext {
  /** The uid of the attempt. */
  readonly uid: string;
  /** Names of the declared secrets. */
  readonly secrets: readonly string[];
  /** Texts from an earlier step or from the request, mapped to their references. */
  readonly known: ReadonlyMap<string, string>;
}

/** Keys are left as they are. */
export function writtenValue(value: unknown, context: WritingContext): unknown {
  if (typeof value === 'string') return writtenText(value, context);
  if (Array.isArray(value)) return value.map((item) => writtenValue(item, context));
  if (!isContainer(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, writtenValue(inner, context)]),
  );
}

/** The same for answers of a peer: credentials are written only as references. */
export function writtenSafely(value: unknown, context: WritingContext): unknown {
  const written = (text: string): string => writtenText(text, context);
  const walk = (inner: unknown, name: string): unknown => {
    if (typeof inner === 'string')
      return isSecretField(name) && !written(inner).includes('${') ? `recorded-${name}` : written(inner);
    if (Array.isArray(inner)) return inner.map((item) => walk(item, name));
    if (!isContainer(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).map(([key, part]) => [key, walk(part, key)]));
  };
  return walk(value, '');
}

export function writtenText(text: string, { uid, secrets, known }: WritingContext): string {
  const texts = [uid, ...known.keys()].filter((one) => one !== '').sort((a, b) => b.length - a.length);
  const marks = new RegExp(`(‹secret:[^›]{1,200}›|${texts.map(escapeRegExp).join('|')})`, 'g');
  return text
    .split(marks)
    .map((part, index) => {
      if (index % 2 === 0) return part.replaceAll('${', () => '$${');
      if (part.startsWith('‹secret:')) return secretText(part.slice('‹secret:'.length, -1), secrets);
      return part === uid ? '${trial.uid}' : (known.get(part) ?? part);
    })
    .join('');
}

/** An undeclared secret has no variable, nor has a transformed one; a plain text replaces it. */
function secretText(name: string, secrets: readonly string[]): string {
  return secrets.includes(name) ? `\${env.${name}}` : `recorded-${name.replaceAll(/[^\w.-]/g, '-')}`;
}

function escapeRegExp(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

/** Consecutive equal lines of a script become one. */
export function countedLines(lines: readonly object[]): readonly object[] {
  const counted: { readonly line: object; times: number }[] = [];
  for (const line of lines) {
    const last = counted.at(-1);
    if (last && JSON.stringify(last.line) === JSON.stringify(line)) last.times += 1;
    else counted.push({ line, times: 1 });
  }
  return counted.map(({ line, times }) => (times === 1 ? line : { ...line, times }));
}

/** What an answer or a callback may repeat of a request: ids and secrets, mapped to references. */
export function echoesOf(
  json: unknown,
  place = 'request.json',
  name = '',
): readonly (readonly [text: string, reference: string])[] {
  if (typeof json === 'string')
    return json !== '' && (idsIn(json)[0] === json || isSecretField(name)) ? [[json, `\${${place}}`]] : [];
  if (Array.isArray(json)) return json.flatMap((item, index) => echoesOf(item, `${place}.${index}`));
  if (!isContainer(json)) return [];
  return Object.entries(json).flatMap(([key, inner]) =>
    /^[\w-]+$/.test(key) ? echoesOf(inner, `${place}.${key}`, key) : [],
  );
}
