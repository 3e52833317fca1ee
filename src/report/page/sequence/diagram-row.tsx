/** One row of the diagram: what happened, with its marks, its outcome and how long it took. */
import { formatDuration } from '../../../kernel/duration.ts';
import { Text } from '../evidence/text.tsx';
import type { Emphasis } from '../trial/attempt-story.ts';
import { Arrow } from './arrow.tsx';
import type { Item } from './items.ts';
import { laneOf } from './lanes.ts';
import { type FoldRow, framesOf, type Row } from './rows.ts';

export function Fold({ row, onOpen }: { readonly row: FoldRow; readonly onOpen: () => void }) {
  return (
    <button type="button" class="row folded" onClick={onOpen}>
      <span class="time">{row.of === 'lanes' ? formatDuration(row.at) : ''}</span>
      <span class="note">
        {row.count} more {row.of === 'lanes' ? 'on closed lanes' : 'only when it passed'}
      </span>
    </button>
  );
}

/** Of the button that unfolds a stream. */
const framesWidth = 84;

interface DiagramRowProps {
  readonly row: Exclude<Row, { type: 'fold' }>;
  readonly emphasis: Emphasis;
  readonly names: readonly string[];
  readonly spacing: number;
  /** Of the part of the row that is right of the times. */
  readonly width: number;
  readonly isSelected: boolean;
  readonly isUnfolded: boolean;
  readonly onSelect: () => void;
  readonly onUnfold: () => void;
}

export function DiagramRow(props: DiagramRowProps) {
  const { row, emphasis, names, spacing, width, isSelected, isUnfolded, onSelect, onUnfold } = props;
  const { item } = row;
  const [from, to] = [names.indexOf(laneOf(item.from)), names.indexOf(laneOf(item.to))];
  const frames = row.type === 'item' && row.part !== 'response' ? framesOf(item).length : 0;
  return (
    <div class={classesOf(props).join(' ')}>
      <button type="button" class="main" aria-pressed={isSelected} onClick={onSelect}>
        <span class="time">{item.seq < 0 ? '' : formatDuration(row.at)}</span>
        <span class="unseen">{whereOf(row)}</span>
        <Arrow
          {...{ row, from, to, spacing }}
          width={frames > 1 ? width - framesWidth : width}
          active={row.active.map((name) => names.indexOf(name))}
          lanes={names.length}
          label={<RowLabel row={row} emphasis={emphasis} />}
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

function classesOf({ row, emphasis, isSelected }: DiagramRowProps): readonly string[] {
  const { item } = row;
  const { blameSeqs, checkSeqs, pairings } = emphasis;
  return [
    'row',
    `kind-${item.kind}`,
    ...(item.seq < 0 ? ['ghost'] : []),
    ...(isSelected ? ['selected'] : []),
    ...(item.isBad && row.type === 'item' && row.part !== 'request' ? ['bad'] : []),
    ...(blameSeqs.has(item.seq) ? ['blame'] : []),
    ...(blameSeqs.has(item.seq) || checkSeqs.has(item.seq) ? ['marked'] : []),
    ...(pairings.get(item.seq) === 'only-here' ? ['only-here'] : []),
  ];
}

/** What the drawing says to those who see it. */
function whereOf(row: DiagramRowProps['row']): string {
  const { item } = row;
  if (row.type === 'frame') return `frame ${row.index + 1} of ${item.label.slice(0, 200)}: `;
  const only = item.seq < 0 ? 'only when it passed, ' : '';
  const where = item.from === item.to ? item.from : `${item.from} to ${item.to}`;
  return `${only}${row.part === 'response' ? 'answer, ' : ''}${where}: `;
}

function RowLabel({ row, emphasis }: Pick<DiagramRowProps, 'row' | 'emphasis'>) {
  const { item } = row;
  if (row.type === 'frame')
    return (
      <span class="what dim">
        <Text text={row.text.slice(0, 300)} />
      </span>
    );
  const { at, end, outcome, label } = item;
  const isAnswer = row.part === 'response';
  return (
    <>
      {!isAnswer && <Tags item={item} emphasis={emphasis} />}
      <span class={isAnswer ? 'what dim' : 'what'}>
        <Text text={label.slice(0, 300)} />
      </span>
      {row.part !== 'request' && outcome !== undefined && item.seq > 0 && (
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

function Tags({ item: { seq, kind }, emphasis }: Pick<DiagramRowProps, 'emphasis'> & { item: Item }) {
  const pairing = emphasis.pairings.get(seq);
  const isBlamed = kind !== 'check' && emphasis.blameSeqs.has(seq);
  return (
    <>
      {kind === 'check' && emphasis.checkSeqs.has(seq) && <span class="tag blame">did not hold</span>}
      {isBlamed && <span class="tag blame">blame</span>}
      {pairing === 'only-here' && <span class="tag only">extra</span>}
      {pairing === 'changed' && kind !== 'check' && !isBlamed && <span class="tag changed">differs</span>}
      {seq < 0 && <span class="tag lacking">missing</span>}
    </>
  );
}
