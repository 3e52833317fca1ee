/** What of the diagram is shown: a text to find, kinds of rows, closed lanes. */
import { toggled } from '../toggled.ts';
import { type Item, type ItemKind, itemKinds } from './items.ts';
import type { Lane } from './lanes.ts';

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
  log: 'log errors',
  check: 'failed checks',
  held: 'held checks',
  span: 'spans',
};

export function Toolbar({ items, kinds, setKinds, text, setText, closed, openAll }: ToolbarProps) {
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
          class="chip more-lanes"
          title={closed.map(({ name }) => name).join(', ')}
          onClick={openAll}
        >
          open {closed.length} more {closed.length === 1 ? 'lane' : 'lanes'}
        </button>
      )}
    </div>
  );
}
