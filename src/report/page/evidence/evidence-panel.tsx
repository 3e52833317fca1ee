/** Everything that is known of one event. */
import { useState } from 'preact/hooks';
import { type AttemptEvent, type EventOf, eventsOf } from '../../../journal/trial-event.ts';
import { formatDuration } from '../../../kernel/duration.ts';
import { isMap } from '../../../kernel/is-map.ts';
import { contentOf } from '../compare/align.ts';
import { Boundary } from '../frame/boundary.tsx';
import { plainText } from '../plain-text.ts';
import type { Item } from '../sequence/items.ts';
import { declarationOf, lastLines } from './around-event.ts';
import { CallView, Rows } from './call-view.tsx';
import { LineDifference } from './difference.tsx';
import { JsonView, type Marks } from './json-view.tsx';
import { Section } from './section.tsx';
import { Body, Text } from './text.tsx';

interface PanelProps {
  readonly item: Item;
  /** Of the attempt in which it happened. */
  readonly events: readonly AttemptEvent[];
  readonly marks?: Marks | undefined;
  /** The same when the trial passed. */
  readonly passed?: Item | undefined;
  readonly onClose: () => void;
}

export function EvidencePanel({ item, events, marks, passed, onClose }: PanelProps) {
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
            <>
              {!isBad && <Change item={item} passed={passed} />}
              <EventView event={item.event} marks={marks} events={events} />
              {isBad && <Change item={item} passed={passed} />}
            </>
          )}
        </Boundary>
      </div>
    </aside>
  );
}

/** What was another one when the trial passed. */
function Change({ item, passed }: { readonly item: Item; readonly passed: Item | undefined }) {
  if (!passed) return null;
  return (
    <Section title="Other than when it passed" note="− then, + now">
      <LineDifference there={contentOf(passed)} here={contentOf(item)} />
    </Section>
  );
}

interface EventProps {
  readonly event: AttemptEvent;
  readonly marks: Marks | undefined;
  readonly events: readonly AttemptEvent[];
}

function EventView({ event, marks, events }: EventProps) {
  switch (event.type) {
    case 'call':
      return <CallView call={event} />;
    case 'step.started':
      return <StepView event={event} end={endOf(event, events)} />;
    case 'step.ended':
      return (
        <>
          <Section title="What came of it" {...(event.because ? { note: event.because } : {})}>
            <JsonView value={event.evidence} marks={marks} />
          </Section>
          <Declared what="step" value={declarationOf(events, event)} />
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
          <Declared what="check" value={declarationOf(events, event)} />
        </>
      );
    case 'log.error':
      return (
        <>
          <Body text={event.text} />
          <LogEnd events={events} service={event.service} />
        </>
      );
    default:
      return (
        <>
          <Section title="What is known">
            <JsonView value={factsOf(event)} />
          </Section>
          {'name' in event && <LogEnd events={events} service={event.name} />}
        </>
      );
  }
}

function StepView({
  event,
  end,
}: {
  event: EventOf<'step.started'>;
  end: EventOf<'step.ended'> | undefined;
}) {
  return (
    <>
      <Section title="What the trial sent">
        <JsonView value={event.sent ?? null} />
      </Section>
      {end && (
        <Section title="What came of it">
          <JsonView value={end.evidence} />
        </Section>
      )}
    </>
  );
}

function endOf({ seq, step }: EventOf<'step.started'>, events: readonly AttemptEvent[]) {
  return eventsOf(events, 'step.ended').find((end) => end.step === step && end.seq > seq);
}

function LogEnd({ events, service }: { readonly events: readonly AttemptEvent[]; readonly service: string }) {
  const lines = lastLines(events, service);
  if (lines.length === 0) return null;
  return (
    <Section title="The end of its log">
      <Body text={lines.map(plainText).join('\n')} />
    </Section>
  );
}

/** Without what the head of the panel says. */
function factsOf({ seq, at, type, ...facts }: AttemptEvent): unknown {
  return facts;
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
