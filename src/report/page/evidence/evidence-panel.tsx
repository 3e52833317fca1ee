/** Everything that is known of one event. */
import { useState } from 'preact/hooks';
import type { AttemptEvent } from '../../../journal/trial-event.ts';
import { formatDuration } from '../../../kernel/duration.ts';
import { isMap } from '../../../kernel/is-map.ts';
import { Boundary } from '../frame/boundary.tsx';
import type { Item } from '../sequence/items.ts';
import { CallView, Rows } from './call-view.tsx';
import { JsonView, type Marks } from './json-view.tsx';
import { Section } from './section.tsx';
import { Body, Text } from './text.tsx';

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
            {' · '}
            {item.seq < 0 ? 'only when it passed' : `event ${item.seq}`}
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
        <Boundary key={String(isRaw)} of="This event">
          {isRaw ? (
            <JsonView value={item.event} />
          ) : (
            <EventView event={item.event} marks={marks} declared={declared} />
          )}
        </Boundary>
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
        <>
          <Section title="What came of it" {...(event.because ? { note: event.because } : {})}>
            <JsonView value={event.evidence} marks={marks} />
          </Section>
          <Declared what="step" value={declared} />
        </>
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
          <Declared what="check" value={declared} />
        </>
      );
    case 'log.error':
      return <Body text={event.text} />;
    default:
      return <JsonView value={event} />;
  }
}

function Declared({ what, value }: { readonly what: string; readonly value: unknown }) {
  if (value === undefined) return null;
  return (
    <Section title={`What the ${what} asks for`}>
      <JsonView value={value} depth={1} />
    </Section>
  );
}

/** Rows of a table, rather than calls or files. */
function isTable(value: unknown): value is readonly Readonly<Record<string, unknown>>[] {
  const isFlat = (row: unknown): boolean =>
    isMap(row) && !('crossing' in row) && Object.keys(row).length <= 12;
  return Array.isArray(value) && value.length > 0 && value.every(isFlat);
}
