/** A sequence diagram over time: lanes from left to right, what happened from top to bottom. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { formatDuration } from '../../../kernel/duration.ts';
import type { Pairing } from '../compare/align.ts';
import { Text } from '../evidence/text.tsx';
import { VirtualRows } from '../virtual-rows.tsx';
import { Arrow } from './arrow.tsx';
import { type Item, type ItemKind, itemKinds, shakedown } from './items.ts';
import { type Lane, laneOf } from './lanes.ts';
import { framesOf, type Row, rowsOf } from './rows.ts';

/** What is worth a look: where checks and blame rest, and what differs from the passing attempt. */
export interface Emphasis {
  readonly blamed: ReadonlySet<string>;
  readonly blameSeqs: ReadonlySet<number>;
  readonly checkSeqs: ReadonlySet<number>;
  readonly pairings: ReadonlyMap<number, Pairing>;
}

interface DiagramProps {
  readonly items: readonly Item[];
  readonly lanes: readonly Lane[];
  readonly openAtFirst: ReadonlySet<string>;
  readonly emphasis: Emphasis;
  readonly selected: number | undefined;
  readonly onSelect: (seq: number) => void;
}

export const rowHeight = 26;
const quietKinds: readonly ItemKind[] = ['held', 'span'];

export function Diagram({ items, lanes, openAtFirst, emphasis, selected, onSelect }: DiagramProps) {
  const [open, setOpen] = useState(openAtFirst);
  const [kinds, setKinds] = useState<ReadonlySet<ItemKind>>(
    () => new Set(itemKinds.filter((kind) => !quietKinds.includes(kind))),
  );
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const [text, setText] = useState('');
  const shown = useMemo(() => items.filter((item) => isFound(item, text)), [items, text]);
  const openNow = lanes.filter(
    ({ name }) => open.has(name) || (name === shakedown && (kinds.has('check') || kinds.has('held'))),
  );
  const rows = useMemo(() => rowsOf(shown, { open, kinds, unfolded }), [shown, open, kinds, unfolded]);
  const focus = rows.findIndex((row) => row.type === 'item' && row.item.seq === selected);
  useKeys(rows, { focus, selected }, onSelect);
  const closed = lanes.filter(({ name }) => name !== shakedown && !open.has(name));
  const [box, width] = useWidth();
  const spacing = spacingFor(width, openNow.length);
  return (
    <div class="diagram" ref={box}>
      <Toolbar
        {...{ items, kinds, setKinds, text, setText, closed }}
        openAll={() => setOpen(new Set(lanes.map(({ name }) => name)))}
      />
      <VirtualRows
        count={rows.length}
        rowHeight={rowHeight}
        label="What happened, in order of time"
        focus={focus < 0 ? undefined : focus}
        header={
          <Heads
            lanes={openNow}
            spacing={spacing}
            blamed={emphasis.blamed}
            close={(name) => setOpen(without(open, name))}
          />
        }
        row={(index) => {
          const row = rows[index];
          if (!row) return null;
          if (row.type === 'fold')
            return <Fold row={row} onOpen={() => setOpen(new Set(lanes.map(({ name }) => name)))} />;
          return (
            <DiagramRow
              {...{ row, emphasis, spacing }}
              names={openNow.map(({ name }) => name)}
              isSelected={row.item.seq === selected}
              isUnfolded={unfolded.has(row.item.seq)}
              onSelect={() => onSelect(row.item.seq)}
              onUnfold={() => setUnfolded(toggled(unfolded, row.item.seq))}
            />
          );
        }}
      />
    </div>
  );
}

export const gutter = 64;

/** Lanes move closer together before texts get too little room. */
function spacingFor(width: number, lanes: number): number {
  const room = Math.max(120, width - gutter - 170);
  return Math.max(width < 500 ? 34 : 56, Math.min(118, Math.floor(room / Math.max(1, lanes))));
}

function useWidth() {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(800);
  useEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const observer = new ResizeObserver(() => setWidth(element.clientWidth));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [box, width] as const;
}

function isFound({ label, from, to, outcome = '', event }: Item, text: string): boolean {
  if (text === '') return true;
  const wanted = text.toLowerCase();
  if (`${from} ${to} ${label} ${outcome}`.toLowerCase().includes(wanted)) return true;
  return JSON.stringify(event).toLowerCase().includes(wanted);
}

/** Up and down go through the rows while nothing is typed. */
function useKeys(
  rows: readonly Row[],
  { focus, selected }: { readonly focus: number; readonly selected: number | undefined },
  onSelect: (seq: number) => void,
): void {
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
      if (step === undefined || event.target instanceof HTMLInputElement) return;
      for (let index = focus + step; index >= 0 && index < rows.length; index += step) {
        const row = rows[index];
        if (row?.type !== 'item' || row.item.seq === selected) continue;
        event.preventDefault();
        onSelect(row.item.seq);
        return;
      }
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, [rows, focus, selected, onSelect]);
}

interface ToolbarProps {
  readonly items: readonly Item[];
  readonly kinds: ReadonlySet<ItemKind>;
  readonly setKinds: (kinds: ReadonlySet<ItemKind>) => void;
  readonly text: string;
  readonly setText: (text: string) => void;
  readonly closed: readonly Lane[];
  readonly openAll: () => void;
}

const kindNames: Readonly<Record<ItemKind, string>> = {
  step: 'steps',
  call: 'calls',
  statement: 'statements',
  model: 'model',
  fault: 'faults',
  process: 'processes',
  log: 'errors in logs',
  check: 'failed checks',
  held: 'checks that held',
  span: 'spans',
};

function Toolbar({ items, kinds, setKinds, text, setText, closed, openAll }: ToolbarProps) {
  const there = itemKinds.filter((kind) => items.some((item) => item.kind === kind));
  return (
    <div class="toolbar">
      <input
        type="search"
        value={text}
        placeholder="Find in what happened"
        aria-label="Find in what happened"
        onInput={({ currentTarget }) => setText(currentTarget.value)}
      />
      {there.map((kind) => (
        <button
          key={kind}
          type="button"
          class="chip"
          aria-pressed={kinds.has(kind)}
          onClick={() => setKinds(toggled(kinds, kind))}
        >
          {kindNames[kind]} <span class="count">{items.filter((item) => item.kind === kind).length}</span>
        </button>
      ))}
      {closed.length > 0 && (
        <button
          type="button"
          class="chip lanes"
          title={closed.map(({ name }) => name).join(', ')}
          onClick={openAll}
        >
          open {closed.length} more {closed.length === 1 ? 'lane' : 'lanes'}
        </button>
      )}
    </div>
  );
}

function toggled<Value>(values: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  return values.has(value) ? without(values, value) : new Set([...values, value]);
}

function without<Value>(values: ReadonlySet<Value>, value: Value): ReadonlySet<Value> {
  return new Set([...values].filter((other) => other !== value));
}

interface HeadsProps {
  readonly lanes: readonly Lane[];
  readonly spacing: number;
  readonly blamed: ReadonlySet<string>;
  readonly close: (name: string) => void;
}

function Heads({ lanes, spacing, blamed, close }: HeadsProps) {
  return (
    <div class="heads" style={{ paddingLeft: `${gutter}px` }}>
      {lanes.map(({ name, kind, items }) => (
        <button
          key={name}
          type="button"
          class={`head ${kind}${blamed.has(name) ? ' blamed' : ''}`}
          style={{ width: `${spacing}px` }}
          title={`${name}, ${kind}: ${items} events; click to close the lane`}
          onClick={() => close(name)}
        >
          <span>{name}</span>
        </button>
      ))}
    </div>
  );
}

function Fold({
  row,
  onOpen,
}: {
  readonly row: Extract<Row, { type: 'fold' }>;
  readonly onOpen: () => void;
}) {
  return (
    <button type="button" class="row folded" onClick={onOpen}>
      <span class="time">{formatDuration(row.at)}</span>
      <span class="note">{row.count} more on closed lanes</span>
    </button>
  );
}

interface DiagramRowProps {
  readonly row: Exclude<Row, { type: 'fold' }>;
  readonly emphasis: Emphasis;
  readonly names: readonly string[];
  readonly spacing: number;
  readonly isSelected: boolean;
  readonly isUnfolded: boolean;
  readonly onSelect: () => void;
  readonly onUnfold: () => void;
}

function DiagramRow({
  row,
  emphasis,
  names,
  spacing,
  isSelected,
  isUnfolded,
  onSelect,
  onUnfold,
}: DiagramRowProps) {
  const { item } = row;
  const pairing = emphasis.pairings.get(item.seq);
  const isMarked = emphasis.blameSeqs.has(item.seq) || emphasis.checkSeqs.has(item.seq);
  const [from, to] = [names.indexOf(laneOf(item.from)), names.indexOf(laneOf(item.to))];
  const classes = [
    'row',
    `kind-${item.kind}`,
    ...(isSelected ? ['selected'] : []),
    ...(item.isBad && row.type === 'item' && row.part !== 'request' ? ['bad'] : []),
    ...(emphasis.blameSeqs.has(item.seq) ? ['blame'] : []),
    ...(isMarked ? ['marked'] : []),
    ...(pairing === 'only-here' ? ['only-here'] : []),
  ];
  const frames = row.type === 'item' && row.part !== 'response' ? framesOf(item).length : 0;
  return (
    <div class={classes.join(' ')}>
      <button
        type="button"
        class="main"
        aria-pressed={isSelected}
        aria-label={describe(row)}
        onClick={onSelect}
      >
        <span class="time">{formatDuration(row.at)}</span>
        <Arrow
          {...{ row, from, to, spacing }}
          active={row.active.map((name) => names.indexOf(name))}
          lanes={names.length}
          label={<RowLabel row={row} pairing={pairing} emphasis={emphasis} />}
        />
      </button>
      {frames > 1 && (
        <button type="button" class="chip frames" aria-pressed={isUnfolded} onClick={onUnfold}>
          {frames} frames
        </button>
      )}
    </div>
  );
}

function describe(row: DiagramRowProps['row']): string {
  const { item } = row;
  const where = item.from === item.to ? item.from : `${item.from} to ${item.to}`;
  if (row.type === 'frame') return `frame ${row.index + 1} of ${item.label}`;
  const what = row.part === 'response' ? `answer to ${item.label}` : item.label;
  return `${where}: ${what}${item.outcome === undefined ? '' : `, ${item.outcome}`}`.slice(0, 300);
}

function RowLabel({
  row,
  pairing,
  emphasis,
}: {
  row: DiagramRowProps['row'];
  pairing: Pairing | undefined;
  emphasis: Emphasis;
}) {
  const { item } = row;
  if (row.type === 'frame')
    return (
      <span class="what dim">
        <Text text={row.text.slice(0, 300)} />
      </span>
    );
  const { at, end, outcome, label, seq } = item;
  const isAnswer = row.part === 'response';
  return (
    <>
      {emphasis.blameSeqs.has(seq) && !isAnswer && <span class="tag blame">blame</span>}
      {pairing === 'only-here' && !isAnswer && <span class="tag only">not in the passing attempt</span>}
      {pairing === 'changed' && !isAnswer && <span class="tag changed">differs</span>}
      <span class={isAnswer ? 'what dim' : 'what'}>
        <Text text={label.slice(0, 300)} />
      </span>
      {row.part !== 'request' && outcome !== undefined && (
        <span class={item.isBad ? 'outcome bad' : 'outcome'}>
          <Text text={outcome.slice(0, 60)} />
        </span>
      )}
      {row.part !== 'request' && end !== undefined && end - at >= 1 && (
        <span class="took">{formatDuration(end - at)}</span>
      )}
    </>
  );
}
