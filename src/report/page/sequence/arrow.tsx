/** One row of the diagram as a drawing: lifelines, who is busy, the arrow, and the text beside it. */
import type { ComponentChildren } from 'preact';
import type { Row } from './rows.ts';

interface ArrowProps {
  readonly row: Exclude<Row, { type: 'fold' }>;
  /** Numbers of lanes; -1 where the lane is closed. */
  readonly from: number;
  readonly to: number;
  readonly active: readonly number[];
  readonly lanes: number;
  readonly spacing: number;
  readonly width: number;
  readonly label: ComponentChildren;
}

const height = 26;
const middle = height / 2;
const headSize = 6;
const loop = 16;
/** With less room behind the arrow, the text is before it, if there is more. */
const enoughForText = 200;

export function Arrow({ row, from, to, active, lanes, spacing, width, label }: ArrowProps) {
  const center = (lane: number): number => (lane + 0.5) * spacing;
  const isBack = row.type === 'frame' || row.part === 'response';
  const [start, end] = isBack ? [to, from] : [from, to];
  const [left, right] = [Math.min(from, to), Math.max(from, to)];
  const textAt = (from === to ? center(from) + loop : center(right)) + 10;
  const isBefore = width - textAt < enoughForText && center(left) > width - textAt + 40;
  const place = isBefore ? { right: `${width - center(left) + 8}px`, left: '0' } : { left: `${textAt}px` };
  const isBoth =
    row.type === 'item' &&
    row.part === 'whole' &&
    row.item.end !== undefined &&
    from !== to &&
    isCall(row.item.kind);
  return (
    <span class="lanes">
      <svg width={lanes * spacing} height={height} aria-hidden="true">
        {Array.from({ length: lanes }, (_, lane) => (
          <line key={lane} class="life" x1={center(lane)} x2={center(lane)} y1={0} y2={height} />
        ))}
        {active.map(
          (lane) =>
            lane >= 0 && (
              <rect key={lane} class="active" x={center(lane) - 3} y={0} width={6} height={height} />
            ),
        )}
        {from === to ? (
          <Here at={center(from)} kind={row.item.kind} isLoop={isCall(row.item.kind)} />
        ) : (
          <g class={isBack ? 'arrow back' : 'arrow'}>
            <line x1={center(left)} x2={center(right)} y1={middle} y2={middle} />
            <Head at={center(end)} points={end > start ? 1 : -1} />
            {isBoth && <circle class="foot" cx={center(start)} cy={middle} r={3} />}
          </g>
        )}
      </svg>
      <span class={isBefore ? 'label before' : 'label'} style={place}>
        {label}
      </span>
    </span>
  );
}

function isCall(kind: string): boolean {
  return kind === 'call' || kind === 'statement' || kind === 'model';
}

function Head({ at, points }: { readonly at: number; readonly points: 1 | -1 }) {
  const back = at - points * headSize;
  return <path class="tip" d={`M ${at} ${middle} L ${back} ${middle - 4} L ${back} ${middle + 4} Z`} />;
}

/** A dot for what happens in one place, a loop for a call to oneself. */
function Here({
  at,
  kind,
  isLoop,
}: {
  readonly at: number;
  readonly kind: string;
  readonly isLoop: boolean;
}) {
  if (!isLoop) return <circle class={`dot ${kind}`} cx={at} cy={middle} r={4.5} />;
  return (
    <g class="arrow">
      <path
        class="loop"
        d={`M ${at} ${middle - 5} h ${loop - 5} a 5 5 0 0 1 0 10 h ${-(loop - 5) + headSize}`}
      />
      <path class="tip" d={`M ${at} ${middle + 5} l ${headSize} -4 v 8 Z`} />
    </g>
  );
}
