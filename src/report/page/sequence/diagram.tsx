/** A sequence diagram over time: lanes from left to right, what happened from top to bottom. */
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { toggled, without } from '../toggled.ts';
import type { AttemptStory } from '../trial/attempt-story.ts';
import { VirtualRows } from '../virtual-rows.tsx';
import { DiagramRow, Fold } from './diagram-row.tsx';
import { type Item, type ItemKind, itemKinds, shakedown } from './items.ts';
import type { Lane } from './lanes.ts';
import { type Row, rowsOf } from './rows.ts';
import { Toolbar } from './toolbar.tsx';

interface DiagramProps {
  readonly story: AttemptStory;
  readonly selected: number | undefined;
  readonly onSelect: (seq: number) => void;
}

const rowHeight = 26;
const quietKinds: readonly ItemKind[] = ['held', 'span'];

export function Diagram({ story, selected, onSelect }: DiagramProps) {
  const { items, lanes, openAtFirst, emphasis } = story;
  const [open, setOpen] = useState(openAtFirst);
  const [kinds, setKinds] = useState<ReadonlySet<ItemKind>>(
    () => new Set(itemKinds.filter((kind) => !quietKinds.includes(kind))),
  );
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const [text, setText] = useState('');
  const [allGhosts, setAllGhosts] = useState(false);
  const contents = useMemo(() => new Map<Item, string>(), [items]);
  const shown = useMemo(() => items.filter((item) => isFound(item, text, contents)), [items, text, contents]);
  const isOursOpen = shown.some(({ to, kind }) => to === shakedown && kinds.has(kind));
  const openNow = lanes.filter(({ name }) => (name === shakedown ? isOursOpen : open.has(name)));
  const rows = useMemo(
    () => rowsOf(shown, { open, kinds, unfolded, allGhosts }),
    [shown, open, kinds, unfolded, allGhosts],
  );
  const focus = rows.findIndex((row) => row.type === 'item' && row.item.seq === selected);
  useKeys(rows, { focus, selected }, onSelect);
  const closed = lanes.filter(({ name }) => name !== shakedown && !open.has(name));
  const openAll = (): void => setOpen(new Set(lanes.map(({ name }) => name)));
  const [box, width] = useWidth();
  const spacing = spacingFor(width, openNow.length);
  return (
    <div class="diagram" ref={box}>
      <Toolbar {...{ items, kinds, setKinds, text, setText, closed }} openAll={openAll} />
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
            return <Fold row={row} onOpen={row.of === 'lanes' ? openAll : () => setAllGhosts(true)} />;
          return (
            <DiagramRow
              {...{ row, emphasis, spacing }}
              width={width - gutter}
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

const gutter = 64;
/** With less, names stand in two lines, and each has the width of two lanes. */
const roomForNames = 100;

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

/** What is in an item is put together once. */
function isFound(item: Item, text: string, contents: Map<Item, string>): boolean {
  if (text === '') return true;
  const { label, from, to, outcome = '', event } = item;
  const content =
    contents.get(item) ?? `${from} ${to} ${label} ${outcome} ${JSON.stringify(event)}`.toLowerCase();
  contents.set(item, content);
  return content.includes(text.toLowerCase());
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

interface HeadsProps {
  readonly lanes: readonly Lane[];
  readonly spacing: number;
  readonly blamed: ReadonlySet<string>;
  readonly close: (name: string) => void;
}

function Heads({ lanes, spacing, blamed, close }: HeadsProps) {
  return (
    <div
      class={spacing < roomForNames ? 'heads staggered' : 'heads'}
      style={{ paddingLeft: `${gutter}px`, '--spacing': `${spacing}px` }}
    >
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
