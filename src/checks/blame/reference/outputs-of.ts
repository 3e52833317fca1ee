/** Observable outputs of the parties of an attempt beside their calls: rows, files, error lines, raw answers. */

import { outside } from '../../../journal/topology.ts';
import type { EventOf } from '../../../journal/trial-event.ts';
import { partyIn } from '../../../kernel/edge-name.ts';
import { checkKind } from '../../../kinds/check-kinds.ts';
import type { AttemptView } from '../../attempt-view.ts';
import { canonicalise } from '../../canonical-value.ts';
import type { SeenCall } from '../../seen-call.ts';
import type { CheckRecord } from '../../trial-record.ts';
import { plainName } from '../store-calls.ts';
import type { Traffic } from '../traffic.ts';
import { boundedValue, fingerprint } from './kept-value.ts';
import type { ReferenceOutput } from './reference-digest.ts';

/** An output, and the events that it was read from. */
export interface TracedOutput {
  readonly output: ReferenceOutput;
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
  const { table } = check.query;
  const about = traffic.hasStatements && typeof table === 'string' ? { about: [plainName(table)] } : {};
  const output = (party: string, name: string, value: unknown): TracedOutput => ({
    output: { party, name, asked: askedBy(check), at: sample.to, value, ...about },
    seqs: [sample.seq],
  });
  if (checkKind(check.kind)?.isClosed)
    return changesByService(sample).map(([service, changes]) =>
      output(service, `${checkOutputName(check.id)} ${service}`, changes),
    );
  const owner = ownerOf(check, traffic);
  return owner === undefined ? [] : [output(owner, checkOutputName(check.id), sample.value)];
}

/** Without the values of the attempt. */
function askedBy({ kind, query }: CheckRecord): string {
  return fingerprint(JSON.stringify([kind, canonicalise(boundedValue(query))]));
}

/** The only party that can have made what a check sees; none if others write to the same place. */
function ownerOf({ kind, query }: CheckRecord, traffic: Traffic): string | undefined {
  const { service, from, to } = query;
  const { edge, madeBy } = checkKind(kind) ?? {};
  if (edge)
    // A recorded program has no tap; its caller is known nevertheless.
    return isName(from) && isName(to) && !isTapped(from, to, traffic) ? from : undefined;
  if (!isName(service)) return undefined;
  if (madeBy === undefined || (madeBy === 'service-alone' && sharesPlace(service, traffic))) return undefined;
  // What several write to one place is the store's; who wrote what shows in the statements.
  const database = sharedStores(service, traffic).find((store) => traffic.kindOf(store) === 'resource');
  return madeBy === 'service-alone' ? (database ?? service) : service;
}

export function sharesStore(service: string, traffic: Traffic): boolean {
  return sharedStores(service, traffic).length > 0;
}

/** Stores of a service that another service uses, too. */
function sharedStores(service: string, { view, isStore, kindOf }: Traffic): readonly string[] {
  const { edges = [], parties = [] } = view.topology ?? {};
  const isShared = (store: string): boolean =>
    isStore(store) &&
    !parties.find(({ name }) => name === store)?.private &&
    edges.some(({ from, to }) => to === store && from !== service && kindOf(from) === 'service');
  return edges.filter(({ from, to }) => from === service && isShared(to)).map(({ to }) => to);
}

/** A program on the path of a service is an end of an edge, but not a party. */
function isTapped(from: string, to: string, { view }: Traffic): boolean {
  const isParty = view.topology?.parties.some(({ name }) => name === partyIn(to)) ?? true;
  return isParty || view.calls.some(({ call }) => call.from === from && call.to === to);
}

/** Another party keeps its state in the same place, where writes cannot be attributed. */
export function sharesPlace(service: string, { view, unseenFrom, kindOf }: Traffic): boolean {
  const { edges = [], parties = [], shared = [] } = view.topology ?? {};
  if (shared.some(({ isStore, by }) => isStore && by.includes(service))) return true;
  return unseenFrom(service).some(({ to }) => {
    if (kindOf(to) !== 'resource' || parties.find(({ name }) => name === to)?.private) return false;
    return edges.some((edge) => edge.to === to && edge.from !== service && kindOf(edge.from) === 'service');
  });
}

/** The party has an input that is not decoded: then its input cannot be shown to be the same as before. */
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

/** What a step on an edge that is not decoded returned to us. */
function outputOfStep(
  name: string,
  to: string | undefined,
  { view, calls, unseenFrom }: Traffic,
): readonly TracedOutput[] {
  const ended = view.steps.get(name);
  if (!ended || to === undefined) return [];
  // Which of its listeners was asked is not known, and of some the answer may be among the calls.
  const isMixed = unseenFrom(outside).some((edge) => edge.to === to);
  const isRead = ({ edge, call }: SeenCall): boolean =>
    isMixed ? edge === `${outside} -> ${to}` : call.from === outside && call.to === to;
  if (calls.some(isRead)) return [];
  const action = view.events.find((event) => event.type === 'step.started' && event.step === name);
  const asked = action?.type === 'step.started' ? [action.action] : [];
  const output = {
    party: to,
    name: `step ${name}`,
    asked: view.record.written ?? fingerprint(asked.join()),
    at: ended.at,
    value: withoutSizes(ended.evidence),
  };
  return [{ output, seqs: [ended.seq] }];
}

/** Byte counts follow from the content. */
function withoutSizes(evidence: unknown): unknown {
  if (typeof evidence !== 'object' || evidence === null || Array.isArray(evidence)) return evidence;
  const sizes = ['bytes', 'bytesReceived', 'bytesSent'];
  return Object.fromEntries(Object.entries(evidence).filter(([key]) => !sizes.includes(key)));
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
