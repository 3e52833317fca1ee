/** Puts the ids of now into a recorded stream of events, also where one spans several of them; all else stays as it was. Pure. */
import { exactJsonOr } from '../../../kernel/exact-json.ts';
import { isMap } from '../../../kernel/is-map.ts';

/** A text in the data of an event; those with the same key continue each other. */
interface Fragment {
  readonly key: string;
  readonly line: number;
  readonly text: string;
}

/** Undefined where a text is not written in its event as we would write it. */
export function renamedStream(stream: string, rename: (text: string) => string): string | undefined {
  const lines = stream.split('\n');
  const found = lines.flatMap((line, at) => fragmentsIn(line, at));
  for (const fragments of Map.groupBy(found, ({ key }) => key).values()) {
    const texts = fragments.map(({ text }) => text);
    for (const [index, text] of spread(texts, rename(texts.join(''))).entries()) {
      const { line, text: before } = fragments[index] as Fragment;
      if (text === before) continue;
      const changed = lines[line]?.replace(JSON.stringify(before), () => JSON.stringify(text));
      if (changed === lines[line] || changed === undefined) return undefined;
      lines[line] = changed;
    }
  }
  return rename(lines.join('\n'));
}

/** The new text, cut where the old one was; what has another length is where its beginning was. */
function spread(texts: readonly string[], after: string): readonly string[] {
  const before = texts.join('');
  const prefix = commonPrefix(before, after);
  const suffix = commonPrefix(reversed(before.slice(prefix)), reversed(after.slice(prefix)));
  const isAligned = before.length === after.length;
  let from = 0;
  return texts.map((text) => {
    const [start, end] = [from, from + text.length];
    from = end;
    if (isAligned) return after.slice(start, end);
    const holdsChange = start <= prefix && (prefix < end || end === before.length);
    return [
      before.slice(start, Math.min(end, prefix)),
      holdsChange ? after.slice(prefix, after.length - suffix) : '',
      before.slice(Math.max(start, before.length - suffix), end),
    ].join('');
  });
}

function commonPrefix(a: string, b: string): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at += 1;
  return at;
}

function reversed(text: string): string {
  return text.split('').reverse().join('');
}

function fragmentsIn(line: string, at: number): readonly Fragment[] {
  const data = line.startsWith('data:')
    ? exactJsonOr(line.slice('data:'.length).trim(), undefined)
    : undefined;
  return textsIn(data, '').map(({ key, text }) => ({ key, line: at, text }));
}

/** Where a list has elements with an index, that is their place; so it is for the event itself. */
function textsIn(value: unknown, path: string): readonly { readonly key: string; readonly text: string }[] {
  if (typeof value === 'string') return [{ key: path, text: value }];
  if (Array.isArray(value))
    return value.flatMap((inner, index) => textsIn(inner, `${path}[${indexOf(inner) ?? index}]`));
  if (!isMap(value)) return [];
  const place = path === '' ? `${indexOf(value)} ${value.output_index} ${value.item_id}` : path;
  return Object.entries(value).flatMap(([name, inner]) => textsIn(inner, `${place}.${name}`));
}

function indexOf(value: unknown): number | undefined {
  return isMap(value) && typeof value.index === 'number' ? value.index : undefined;
}
