/** A value on a few lines around the place that matters; distant parts are only counted. */
import { parseExactJson } from '../../kernel/exact-json.ts';
import { isMap } from '../../kernel/is-map.ts';
import { printKey } from '../../patterns/print-value.ts';
import { oneLineValue } from './fit-text.ts';
import { storyLimits } from './story-limits.ts';

export interface ValueLine {
  readonly text: string;
  /** The place itself. */
  readonly marked: boolean;
}

type Key = string | number;

/** `path` is written `$.a[0]["odd key"]`; one that leads nowhere ends at the last existing place. */
export function valueAround(value: unknown, path: string, columns: number): readonly ValueLine[] {
  const whole = oneLineValue(value, columns + 1);
  if (whole.length <= columns) return [{ text: whole, marked: false }];
  const lines = draw(value, keysOf(path), { indent: 0, label: '', columns });
  // A mark at the root would point at everything.
  return lines[0]?.marked ? [{ ...lines[0], marked: false }, ...lines.slice(1)] : lines;
}

interface Spot {
  readonly indent: number;
  /** `severity: `, before the value. */
  readonly label: string;
  readonly columns: number;
}

function draw(value: unknown, path: readonly Key[], spot: Spot): ValueLine[] {
  const [key, ...rest] = path;
  const entries = entriesOf(value);
  const at = entries?.findIndex(([name]) => name === key) ?? -1;
  if (!entries || at < 0) return drawPlace(value, entries, spot);
  const from = Math.max(0, at - storyLimits.neighbours);
  const to = at + storyLimits.neighbours + 1;
  const child = (index: number): ValueLine[] => {
    const inner = innerSpot(entries, index, spot);
    return index === at ? draw(entries[index]?.[1], rest, inner) : [compact(entries[index]?.[1], inner)];
  };
  return drawEntries(value, entries, { from, to }, child, spot);
}

/** The place itself: on one line if it fits, else with its entries, each on one line. */
function drawPlace(value: unknown, entries: Entries | undefined, spot: Spot): ValueLine[] {
  const room = spot.columns - spot.indent - spot.label.length;
  if (!entries || oneLineValue(value, room + 1).length <= room)
    return [{ ...compact(value, spot), marked: true }];
  const child = (index: number): ValueLine[] => [
    compact(entries[index]?.[1], innerSpot(entries, index, spot)),
  ];
  const [first, ...rest] = drawEntries(value, entries, { from: 0, to: storyLimits.entries }, child, spot);
  return first ? [{ ...first, marked: true }, ...rest] : [];
}

function drawEntries(
  value: unknown,
  entries: Entries,
  { from, to }: { readonly from: number; readonly to: number },
  child: (index: number) => ValueLine[],
  spot: Spot,
): ValueLine[] {
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  const shown = entries.slice(from, to).flatMap((_, offset) => child(from + offset));
  return [
    indented(`${spot.label}${open}`, spot.indent),
    ...omitted(from, spot.indent + 2),
    ...shown,
    ...omitted(entries.length - to, spot.indent + 2),
    indented(close, spot.indent),
  ];
}

function omitted(count: number, indent: number): ValueLine[] {
  return count > 0 ? [indented(`… ${count} more`, indent)] : [];
}

function innerSpot(entries: Entries, index: number, { indent, columns }: Spot): Spot {
  const name = entries[index]?.[0];
  return { indent: indent + 2, label: typeof name === 'string' ? `${printKey(name)}: ` : '', columns };
}

function compact(value: unknown, { indent, label, columns }: Spot): ValueLine {
  const room = Math.max(8, columns - indent - label.length);
  return indented(`${label}${oneLineValue(value, room)}`, indent);
}

function indented(text: string, indent: number): ValueLine {
  return { text: `${' '.repeat(indent)}${text}`, marked: false };
}

type Entries = ReadonlyArray<readonly [Key, unknown]>;

function entriesOf(value: unknown): Entries | undefined {
  if (Array.isArray(value)) return value.map((item, index) => [index, item] as const);
  return isMap(value) ? Object.entries(value) : undefined;
}

function keysOf(path: string): readonly Key[] {
  const segments = path.replace(/^\$/, '').matchAll(/\.?([^.[\]"]+)|\[(\d+)\]|\[("(?:[^"\\]|\\.)*")\]/g);
  return [...segments].map(([, name, index, quoted]) =>
    name !== undefined ? name : index !== undefined ? Number(index) : unquoted(quoted as string),
  );
}

function unquoted(quoted: string): string {
  try {
    return parseExactJson(quoted) as string;
  } catch {
    return quoted;
  }
}
