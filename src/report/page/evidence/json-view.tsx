/** A value as JSON that can be folded, with marks at the places where a check differs. */
import { useState } from 'preact/hooks';
import { ExactNumber, exactJsonOr } from '../../../kernel/exact-json.ts';
import { isMap } from '../../../kernel/is-map.ts';
import { isLeftOut } from '../embedded-report.ts';
import { Text } from './text.tsx';

/** Path, such as `$.a[0]`, to what was expected there. */
export type Marks = ReadonlyMap<string, string>;

interface NodeProps {
  readonly value: unknown;
  readonly name?: string | undefined;
  readonly path?: string;
  readonly marks?: Marks | undefined;
  readonly depth?: number;
}

const none: Marks = new Map();
/** Deeper values are folded until somebody opens them. */
const openDepth = 3;
const mostEntries = 100;
const longText = 400;
/** Longer texts are not looked at as JSON. */
const mostParsed = 100_000;

export function JsonView({ value, name, path = '$', marks = none, depth = 0 }: NodeProps) {
  const mark = marks.get(path);
  const isMarkedBelow = [...marks.keys()].some((marked) => marked.startsWith(path) && marked !== path);
  const [isOpen, setOpen] = useState(depth < openDepth || isMarkedBelow);
  const label = name === undefined ? null : <span class="key">{name}: </span>;
  const expected = mark === undefined ? null : <span class="expected">expected {mark}</span>;
  const entries = entriesOf(value, path);
  if (!entries || entries.length === 0)
    return (
      <div class={mark === undefined ? 'leaf' : 'leaf marked'}>
        {label}
        <Leaf value={value} />
        {expected}
      </div>
    );
  const [begin, end] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return (
    <div class={mark === undefined ? 'branch' : 'branch marked'}>
      <button type="button" class="fold" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        {label}
        {begin}
        {isOpen ? '' : ` ${summaryOf(value, entries.length)} ${end}`}
      </button>
      {expected}
      {isOpen && <Entries entries={entries} marks={marks} depth={depth} />}
      {isOpen && <div class="end">{end}</div>}
    </div>
  );
}

type Entry = readonly [name: string | undefined, path: string, value: unknown];

function Entries({ entries, marks, depth }: { entries: readonly Entry[]; marks: Marks; depth: number }) {
  const [most, setMost] = useState(mostEntries);
  const left = entries.length - most;
  return (
    <div class="entries">
      {entries.slice(0, most).map(([name, path, value]) => (
        <JsonView key={path} name={name} path={path} value={value} marks={marks} depth={depth + 1} />
      ))}
      {left > 0 && (
        <button type="button" class="more" onClick={() => setMost(most * 10)}>
          {left} more
        </button>
      )}
    </div>
  );
}

function entriesOf(value: unknown, path: string): readonly Entry[] | undefined {
  if (isLeftOut(value)) return undefined;
  if (Array.isArray(value)) return value.map((inner, index) => [undefined, `${path}[${index}]`, inner]);
  if (!isMap(value) || value instanceof ExactNumber) return undefined;
  return Object.entries(value).map(([key, inner]) => [key, `${path}${stepOf(key)}`, inner]);
}

function stepOf(key: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(key) ? `.${key}` : `[${JSON.stringify(key)}]`;
}

function summaryOf(value: unknown, count: number): string {
  return Array.isArray(value)
    ? `${count} elements`
    : Object.keys(value as object)
        .slice(0, 4)
        .join(', ');
}

function Leaf({ value }: { value: unknown }) {
  if (isLeftOut(value)) return <Text text={value} />;
  if (typeof value === 'string') return <LongText text={value} />;
  const kind =
    value === null
      ? 'null'
      : typeof value === 'bigint' || value instanceof ExactNumber
        ? 'number'
        : typeof value;
  return <span class={kind}>{Array.isArray(value) ? '[]' : isMap(value) ? '{}' : String(value)}</span>;
}

/** Texts over several lines keep them; JSON in a text can be opened as such. */
function LongText({ text }: { text: string }) {
  const [isWhole, setWhole] = useState(false);
  const [isParsed, setParsed] = useState(false);
  const parsed = /^\s*[[{]/.test(text) && text.length < mostParsed ? exactJsonOr(text, undefined) : undefined;
  const shown = isWhole || text.length <= longText ? text : text.slice(0, longText);
  return (
    <span class={text.includes('\n') ? 'string lines' : 'string'}>
      {isParsed ? (
        <JsonView value={parsed} depth={1} />
      ) : (
        <Text text={JSON.stringify(shown).slice(1, -1).replaceAll('\\n', '\n').replaceAll('\\"', '"')} />
      )}
      {shown.length < text.length && (
        <button type="button" class="more" onClick={() => setWhole(true)}>
          {(text.length - shown.length).toLocaleString('en')} more characters
        </button>
      )}
      {parsed !== undefined && (
        <button type="button" class="more" onClick={() => setParsed(!isParsed)}>
          {isParsed ? 'as text' : 'as JSON'}
        </button>
      )}
    </span>
  );
}
