/** What happened in an attempt, as items on lanes in order of time. */
import { type CallEvent, isStoreCall } from '../../../journal/call-event.ts';
import { outside } from '../../../journal/topology.ts';
import { type AttemptEvent, eventsOf } from '../../../journal/trial-event.ts';
import { partyIn } from '../../../kernel/edge-name.ts';
import { isMap } from '../../../kernel/is-map.ts';
import { orElse } from '../../../kernel/or-else.ts';
import { callName } from '../../call-name.ts';
import { callOutcome } from '../../terminal/call-outcome.ts';
import type { ReportedAttempt } from '../embedded-report.ts';
import { plainText } from '../plain-text.ts';

export const itemKinds = [
  'step',
  'call',
  'statement',
  'model',
  'fault',
  'process',
  'log',
  'check',
  'held',
  'span',
] as const;
export type ItemKind = (typeof itemKinds)[number];

export interface Item {
  /** Of the event that it shows; negative where only the attempt that passed had it. */
  readonly seq: number;
  readonly kind: ItemKind;
  /** Milliseconds since the attempt's first moment. */
  readonly at: number;
  readonly end?: number;
  /** Lanes; the same one for what happens in one place. */
  readonly from: string;
  readonly to: string;
  readonly label: string;
  readonly outcome?: string;
  readonly isBad?: true;
  readonly event: AttemptEvent;
}

/** The lane on which we act ourselves: disturbances, samples of checks. */
export const shakedown = 'Shakedown';

/** `bad` are the checks that did not hold; the others are worth less room. */
export function itemsOf(
  { events, startedAt }: ReportedAttempt,
  bad: ReadonlySet<string> = new Set(),
): readonly Item[] {
  const offset = eventsOf(events, 'attempt.started')[0]?.keeperAt ?? 0;
  const began = Date.parse(startedAt);
  const depthOf = spanDepths(events);
  const items = events.flatMap((event) => soundItem(event, { offset, began, bad, depthOf }) ?? []);
  return toTargets(items, events).sort((a, b) => a.at - b.at || a.seq - b.seq);
}

/** A step leads to where it acts, unless its calls are seen there. */
function toTargets(items: readonly Item[], events: readonly AttemptEvent[]): Item[] {
  const seen = new Set(
    items.flatMap(({ kind, from, to }) => (kind !== 'step' && from === outside ? [partyIn(to)] : [])),
  );
  const trial = eventsOf(events, 'attempt.started')[0]?.trial;
  const steps = isMap(trial) && Array.isArray(trial.steps) ? trial.steps.filter(isMap) : [];
  return items.map((item) => {
    if (item.event.type !== 'step.started' && item.event.type !== 'step.ended') return item;
    const { step } = item.event;
    const to = steps.find(({ name }) => name === step)?.to;
    return typeof to === 'string' && !seen.has(partyIn(to)) ? { ...item, to } : item;
  });
}

/** What only the attempt that passed had, at the moment at which it is missing here. */
export function ghostOf(item: Item, at: number): Item {
  const { isBad, end, ...rest } = item;
  return { ...rest, seq: -item.seq, at };
}

/** A journal without checksums may have anything in it. */
function soundItem(event: AttemptEvent, around: Around): Item | undefined {
  const item = isDamaged(event) ? unreadable(event) : orElse(() => itemOf(event, around), unreadable(event));
  if (!item) return undefined;
  const at = Number.isFinite(item.at) ? item.at : 0;
  return { ...item, at, label: plainText(item.label), from: plainText(item.from), to: plainText(item.to) };
}

function isDamaged(event: AttemptEvent): boolean {
  return event.type === 'call' && !(isMap(event.request) && Number.isFinite(event.startedAt));
}

/** Nobody takes it for an event of its type. */
function unreadable({ seq, at, type, ...rest }: AttemptEvent): Item {
  const event = { seq, at, type: 'unreadable', was: type, ...rest } as unknown as AttemptEvent;
  return {
    seq,
    at,
    kind: 'fault',
    from: outside,
    to: outside,
    label: `${type}: not readable`,
    isBad: true,
    event,
  };
}

const deepestSpan = 12;

function spanDepths(events: readonly AttemptEvent[]): (spanId: string) => number {
  const spans = eventsOf(events, 'span').map(({ span }) => span);
  const parents = new Map(spans.filter(isMap).map(({ spanId, parentSpanId }) => [spanId, parentSpanId]));
  const depthOf = (id: string): number => {
    let [depth, parent] = [0, parents.get(id) ?? ''];
    while (parents.has(parent) && depth < deepestSpan) {
      parent = parents.get(parent) ?? '';
      depth += 1;
    }
    return depth;
  };
  return depthOf;
}

interface Around {
  readonly offset: number;
  readonly began: number;
  readonly bad: ReadonlySet<string>;
  /** How many spans are around the one with this id. */
  readonly depthOf: (spanId: string) => number;
}

function itemOf(event: AttemptEvent, around: Around): Item | undefined {
  const { seq, at } = event;
  const here = (lane: string, kind: ItemKind, label: string, more: Partial<Item> = {}): Item => ({
    ...{ seq, at, kind, label, event, from: lane, to: lane },
    ...more,
  });
  switch (event.type) {
    case 'call':
      return callItem({ ...event, seq, at }, around.offset);
    case 'step.started':
      return here(outside, 'step', `${event.step}: ${event.action}`);
    case 'step.ended':
      return event.outcome === 'done'
        ? undefined
        : here(outside, 'step', `${event.step} failed: ${event.because ?? ''}`, { isBad: true });
    case 'disturbance.felt':
    case 'disturbance.unfit':
      return here(shakedown, 'fault', `${event.disturbance}: ${event.what}`, {
        from: event.from,
        to: event.to,
      });
    case 'log.error':
      return here(event.service, 'log', event.text, { isBad: true });
    case 'probe.sampled': {
      const times = event.samples > 1 ? `, ${event.samples} times the same` : '';
      const kind = around.bad.has(event.probe) ? 'check' : 'held';
      return here(shakedown, kind, `check ${event.probe}${times}`, { at: event.from, end: event.to });
    }
    case 'probe.blind':
      return here(shakedown, 'check', `check ${event.probe} could not look: ${event.because}`, {
        isBad: true,
      });
    case 'connection.refused':
      return here(event.from, 'call', 'connection refused', {
        ...{ from: event.from, to: event.to, isBad: true },
        outcome: event.because,
      });
    case 'log.undecided':
      return here(event.service, 'log', `${event.lines} lines could not be searched for errors`);
    case 'span': {
      const { service, name, durationMs, startedAt } = event.span;
      const started = Date.parse(startedAt) - around.began;
      const moment = Number.isFinite(started) && started >= 0 && started <= at ? started : at - durationMs;
      const depth = around.depthOf(event.span.spanId);
      const label = depth === 0 ? name : `${'\u00a0\u00a0'.repeat(depth - 1)}└ ${name}`;
      return here(service ?? event.resource, 'span', label, { at: moment, end: moment + durationMs });
    }
    default:
      return processItem(event, here);
  }
}

function processItem(
  event: AttemptEvent,
  here: (lane: string, kind: ItemKind, label: string, more?: Partial<Item>) => Item,
): Item | undefined {
  switch (event.type) {
    case 'node.starting':
      return here(event.name, 'process', 'starts');
    case 'node.ready':
      return here(event.name, 'process', 'is ready');
    case 'node.exited': {
      const how = event.signal ?? `code ${event.code}`;
      return here(event.name, 'process', `ends: ${how}`, event.expected ? {} : { isBad: true });
    }
    case 'node.failed':
      return here(event.name, 'process', 'died', { isBad: true });
    case 'node.stopped':
      return here(event.name, 'process', event.how === 'killed' ? 'was killed' : 'was stopped');
    default:
      return undefined;
  }
}

function callItem(event: CallEvent & { readonly seq: number; readonly at: number }, offset: number): Item {
  const { seq, from, to, startedAt, endedAt, statement } = event;
  const call = statement === undefined ? event : { ...event, statement: plainText(statement) };
  const { text, failed } = callOutcome(call, 60);
  return {
    ...{ seq, from, to, event, outcome: text, label: callName(call) },
    kind: isStoreCall(event) ? 'statement' : event.turn ? 'model' : 'call',
    at: Math.max(0, startedAt - offset),
    end: Math.max(0, endedAt - offset),
    ...(failed ? { isBad: true } : {}),
  };
}
