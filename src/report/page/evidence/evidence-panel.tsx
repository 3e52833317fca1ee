/** Everything that is known of one event. */
import { useState } from 'preact/hooks';
import type { AttemptEvent } from '../../../journal/trial-event.ts';
import { formatDuration } from '../../../kernel/duration.ts';
import { isMap } from '../../../kernel/is-map.ts';
import type { Item } from '../sequence/items.ts';
import { CallView, Rows } from './call-view.tsx';
import { JsonView, type Marks } from './json-view.tsx';
import { Section } from './section.tsx';
import { Text } from './text.tsx';

interface PanelProps {
  readonly item: Item;
  readonly marks?: Marks | undefined;
  /** What the check that looked here expects. */
  readonly declared?: unknown;
  readonly onClose: () => void;
}

export function EvidencePanel({ item, marks, declared, onClose }: PanelProps) {
  const [isRaw, setRaw] = useState(false);
  const { at, end, from, to, label, outcome, isBad } = item;
  return (
    <aside class="evidence" aria-label="Evidence">
      <header>
        <div>
          <p class="edge">{from === to ? from : `${from} → ${to}`}</p>
          <h3>
            <Text text={label} />
          </h3>
          <p class="dim">
            at {formatDuration(at)}
            {end === undefined || end === at ? '' : `, for ${formatDuration(end - at)}`}
            {outcome === undefined ? '' : ' · '}
            {outcome !== undefined && <span class={isBad ? 'bad' : ''}>{outcome}</span>}
            {' · '}event {item.seq}
          </p>
        </div>
        <div class="tools">
          <button type="button" aria-pressed={isRaw} onClick={() => setRaw(!isRaw)}>
            raw
          </button>
          <button type="button" aria-label="Close the evidence" onClick={onClose}>
            ✕
          </button>
        </div>
      </header>
      <div class="scroll" tabIndex={0}>
        {isRaw ? (
          <JsonView value={item.event} />
        ) : (
          <EventView event={item.event} marks={marks} declared={declared} />
        )}
      </div>
    </aside>
  );
}

function EventView({
  event,
  marks,
  declared,
}: {
  event: AttemptEvent;
  marks: Marks | undefined;
  declared: unknown;
}) {
  switch (event.type) {
    case 'call':
      return <CallView call={event} />;
    case 'step.started':
      return (
        <Section title="What the trial sent">
          <JsonView value={event.sent ?? null} />
        </Section>
      );
    case 'step.ended':
      return (
        <Section title="What came of it">
          <JsonView value={event.evidence} marks={marks} />
        </Section>
      );
    case 'probe.sampled':
      return (
        <>
          <Section title="What was there">
            {isTable(event.value) ? (
              <Rows rows={event.value} marks={marks} />
            ) : (
              <JsonView value={event.value} marks={marks} />
            )}
          </Section>
          {declared !== undefined && (
            <Section title="What the check asks for">
              <JsonView value={declared} depth={1} />
            </Section>
          )}
        </>
      );
    case 'log.error':
      return (
        <pre class="body">
          <Text text={event.text} />
        </pre>
      );
    default:
      return <JsonView value={event} />;
  }
}

/** Rows of a table, rather than calls or files. */
function isTable(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  const isFlat = (row: unknown): boolean =>
    isMap(row) && !('crossing' in row) && Object.keys(row).length <= 12;
  return Array.isArray(value) && value.length > 0 && value.every(isFlat);
}
