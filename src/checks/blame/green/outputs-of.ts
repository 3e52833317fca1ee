/** What the parties of an attempt left to be seen beside their calls: rows, files, error lines, answers on raw connections. */
import { outside } from '../../../journal/topology.ts';
import type { AttemptView, EventOf } from '../../attempt-view.ts';
import { canonicalise } from '../../canonical-value.ts';
import type { CheckRecord } from '../../trial-record.ts';
import type { Traffic } from '../traffic.ts';
import type { GreenOutput } from './green-digest.ts';
import { boundedValue, fingerprint } from './kept-value.ts';

/** An output, and the events that it was read from. */
export interface TracedOutput {
  readonly output: GreenOutput;
  readonly seqs: readonly number[];
}

export function outputsOf(traffic: Traffic): readonly TracedOutput[] {
  const { view } = traffic;
  return [
    ...view.performed.flatMap((check) => outputsOfCheck(check, traffic)),
    ...view.record.steps.flatMap((step) => outputOfStep(step.name, step.to, traffic)),
    ...outputsOfLogs(view),
  ];
}

export function checkOutputName(id: string): string {
  return `check ${id}`;
}

function outputsOfCheck(check: CheckRecord, traffic: Traffic): readonly TracedOutput[] {
  const { view } = traffic;
  const sample = view.probes.get(check.id)?.samples.at(-1);
  if (sample?.type !== 'probe.sampled') return [];
  const told = (party: string, name: string, value: unknown): TracedOutput => ({
    output: { party, name, asked: askedBy(check), at: sample.to, value },
    seqs: [sample.seq],
  });
  if (check.kind === 'changes')
    return changesByService(sample).map(([service, changes]) =>
      told(service, `${checkOutputName(check.id)} ${service}`, changes),
    );
  const owner = ownerOf(check, traffic);
  return owner === undefined ? [] : [told(owner, checkOutputName(check.id), sample.value)];
}

/** Without what the attempt filled in. */
function askedBy({ kind, query }: CheckRecord): string {
  return fingerprint(JSON.stringify([kind, canonicalise(boundedValue(query))]));
}

/** Who alone can have made what a check sees; nobody where others write to the same place. */
function ownerOf({ kind, query }: CheckRecord, traffic: Traffic): string | undefined {
  const { service, from, to } = query;
  if (kind === 'calls')
    // A program that is recorded has no tap; who started it is known all the same.
    return isName(from) && isName(to) && !isTapped(from, to, traffic) ? from : undefined;
  if (!isName(service)) return undefined;
  if (kind === 'files' || kind === 'events') return service;
  return kind === 'rows' && !sharesPlace(service, traffic) ? service : undefined;
}

/** A program on the path of a service is an end of an edge, and no party. */
function isTapped(from: string, to: string, { view }: Traffic): boolean {
  const isParty = view.topology?.parties.some(({ name }) => name === to) ?? true;
  return isParty || view.calls.some(({ call }) => call.from === from && call.to === to);
}

/** Somebody else keeps its state in the same place, where nobody sees who wrote what. */
export function sharesPlace(service: string, { view, unseenFrom, kindOf }: Traffic): boolean {
  const { edges = [], parties = [] } = view.topology ?? {};
  return unseenFrom(service).some(({ to }) => {
    if (kindOf(to) !== 'resource' || parties.find(({ name }) => name === to)?.private) return false;
    return edges.some((edge) => edge.to === to && edge.from !== service && kindOf(edge.from) === 'service');
  });
}

/** Something reaches the party on a way on which nobody sees what: then nobody can say that it got the same as before. */
export function hasHiddenInput(party: string, traffic: Traffic): boolean {
  const { edges = [] } = traffic.view.topology ?? {};
  const asks = traffic.unseenFrom(party).some(({ to }) => traffic.kindOf(to) !== 'resource');
  const isAsked = edges.some(
    ({ from, to }) =>
      to === party && from !== outside && traffic.unseenFrom(from).some((edge) => edge.to === party),
  );
  return asks || isAsked || sharesPlace(party, traffic);
}

type Change = { readonly kind?: unknown; readonly service?: unknown };

function changesByService(sample: EventOf<'probe.sampled'>): readonly [string, readonly unknown[]][] {
  const changes = (Array.isArray(sample.value) ? sample.value : []) as readonly Change[];
  const owned = changes.filter(({ kind, service }) => kind !== 'call' && isName(service));
  return [...Map.groupBy(owned, ({ service }) => String(service))];
}

/** Of a step on an edge that nobody reads, what came back to us. */
function outputOfStep(
  name: string,
  to: string | undefined,
  { view, calls }: Traffic,
): readonly TracedOutput[] {
  const ended = view.steps.get(name);
  if (!ended || to === undefined) return [];
  if (calls.some(({ call }) => call.from === outside && call.to === to)) return [];
  const action = view.events.find((event) => event.type === 'step.started' && event.step === name);
  const asked = action?.type === 'step.started' ? [action.action] : [];
  return [
    {
      output: {
        party: to,
        name: `step ${name}`,
        asked: view.record.written ?? fingerprint(asked.join()),
        at: ended.at,
        value: withoutSizes(ended.evidence),
      },
      seqs: [ended.seq],
    },
  ];
}

/** How much came is told by what came. */
function withoutSizes(evidence: unknown): unknown {
  if (typeof evidence !== 'object' || evidence === null || Array.isArray(evidence)) return evidence;
  const {
    bytes: _bytes,
    bytesReceived: _received,
    bytesSent: _sent,
    ...rest
  } = evidence as Record<string, unknown>;
  return rest;
}

function outputsOfLogs({ logErrors }: AttemptView): readonly TracedOutput[] {
  return [...Map.groupBy(logErrors, ({ service }) => service)].map(([party, lines]) => ({
    output: {
      party,
      name: logOutputName,
      asked: '',
      at: lines[0]?.at ?? 0,
      value: lines.map(({ text }) => text),
    },
    seqs: lines.map(({ seq }) => seq),
  }));
}

export const logOutputName = 'log';

function isName(value: unknown): value is string {
  return typeof value === 'string' && /^[A-Za-z0-9]/.test(value);
}
