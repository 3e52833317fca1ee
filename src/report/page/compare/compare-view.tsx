/** An attempt beside the newest one that passed, edge by edge, row by row. */
import { useMemo, useState } from 'preact/hooks';
import { LineDifference } from '../evidence/difference.tsx';
import { Text } from '../evidence/text.tsx';
import type { Item } from '../sequence/items.ts';
import { VirtualRows } from '../virtual-rows.tsx';
import { contentOf, type Pair, type Pairing } from './align.ts';

interface CompareProps {
  readonly pairs: readonly Pair[];
  /** Of the attempt that passed. */
  readonly run: string;
  readonly onEvent: (seq: number) => void;
}

const rowHeight = 30;
const words: Readonly<Record<Pairing, string>> = {
  same: 'the same',
  changed: 'differs',
  'only-here': 'only in this attempt',
  'only-there': 'only when it passed',
};

export function CompareView({ pairs, run, onEvent }: CompareProps) {
  const [isAll, setAll] = useState(false);
  const [chosen, setChosen] = useState<Pair | undefined>(() =>
    pairs.find(({ pairing }) => pairing !== 'same'),
  );
  const shown = useMemo(
    () => (isAll ? pairs : pairs.filter(({ pairing }) => pairing !== 'same')),
    [pairs, isAll],
  );
  const same = pairs.filter(({ pairing }) => pairing === 'same').length;
  return (
    <div class="compare">
      <div class="compared">
        <div class="toolbar">
          <span>
            beside <code>{run}</code>, in which it passed: {pairs.length - same} differ, {same} are the same
          </span>
          <button type="button" class="chip" aria-pressed={isAll} onClick={() => setAll(!isAll)}>
            show the same, too
          </button>
        </div>
        <VirtualRows
          count={shown.length}
          rowHeight={rowHeight}
          label="Both attempts, row by row"
          header={
            <div class="compare-row heads">
              <span>edge</span>
              <span>when it passed</span>
              <span>in this attempt</span>
            </div>
          }
          row={(index) => {
            const pair = shown[index];
            return pair ? (
              <CompareRow pair={pair} isChosen={pair === chosen} onChoose={() => setChosen(pair)} />
            ) : null;
          }}
        />
      </div>
      {chosen && <BothContents pair={chosen} onEvent={onEvent} />}
    </div>
  );
}

function CompareRow({ pair, isChosen, onChoose }: { pair: Pair; isChosen: boolean; onChoose: () => void }) {
  const { here, there, pairing } = pair;
  const { from = '', to = '' } = here ?? there ?? {};
  return (
    <button
      type="button"
      class={`compare-row ${pairing}`}
      aria-pressed={isChosen}
      onClick={onChoose}
      title={words[pairing]}
    >
      <span class="dim">{from === to ? from : `${from} → ${to}`}</span>
      <Side item={there} />
      <Side item={here} />
    </button>
  );
}

function Side({ item }: { readonly item: Item | undefined }) {
  if (!item) return <span class="nothing">nothing</span>;
  return (
    <span class="side">
      <span class="what">
        <Text text={item.label.slice(0, 200)} />
      </span>
      {item.outcome !== undefined && (
        <span class={item.isBad ? 'outcome bad' : 'outcome'}>
          <Text text={item.outcome.slice(0, 60)} />
        </span>
      )}
    </span>
  );
}

function BothContents({ pair, onEvent }: { readonly pair: Pair; readonly onEvent: (seq: number) => void }) {
  const { here, there, pairing } = pair;
  return (
    <aside class="evidence" aria-label="The difference">
      <header>
        <div>
          <p class="edge">{words[pairing]}</p>
          <h3>
            <Text text={(here ?? there)?.label.slice(0, 200) ?? ''} />
          </h3>
        </div>
        {here && (
          <button type="button" class="link" onClick={() => onEvent(here.seq)}>
            event {here.seq}
          </button>
        )}
      </header>
      <div class="scroll" tabIndex={0}>
        <LineDifference there={there ? contentOf(there) : ''} here={here ? contentOf(here) : ''} />
      </div>
    </aside>
  );
}
