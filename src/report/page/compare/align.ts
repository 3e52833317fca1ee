/** Pairs what happened in an attempt with what happened in one that passed, edge by edge. */
import { diffArrays } from 'diff';
import { isGreeting } from '../../../checks/blame/reference/call-parts.ts';
import { steadyText, steadyValue } from '../../../journal/steady-value.ts';
import { ExactNumber } from '../../../kernel/exact-json.ts';
import { isMap } from '../../../kernel/is-map.ts';
import type { Item } from '../sequence/items.ts';

export type Pairing = 'same' | 'changed' | 'only-here' | 'only-there';

export interface Pair {
  readonly here?: Item;
  readonly there?: Item;
  readonly pairing: Pairing;
  readonly at: number;
}

/** In the order of this attempt; what only the other one had follows what was before it on its edge. */
export function align(here: readonly Item[], there: readonly Item[]): readonly Pair[] {
  const checks = here.filter(({ kind }) => kind === 'check').flatMap((mine) => besideSame(mine, there) ?? []);
  const [ours, theirs] = [here.filter(isPassing), there.filter(isPassing)];
  const edges = new Set([...ours, ...theirs].map(edgeOf));
  const pairs = [...edges].flatMap((edge) =>
    alignEdge(
      ours.filter((item) => edgeOf(item) === edge),
      theirs.filter((item) => edgeOf(item) === edge),
    ),
  );
  return [...pairs, ...checks].sort((a, b) => a.at - b.at);
}

/** Something that passed on an edge or happened in the system; handshakes are not compared, and samples of checks have an order of their own. */
function isPassing({ kind, event }: Item): boolean {
  return !['check', 'held', 'span', 'process'].includes(kind) && !isHandshake(event);
}

/** It happens once for a connection, in whichever attempt comes first; so does the request for a stream that is not offered. */
function isHandshake(event: Item['event']): boolean {
  if (event.type !== 'call') return false;
  return isGreeting({ call: event }) || (event.method === 'GET' && event.response?.status === 405);
}

function besideSame(mine: Item, there: readonly Item[]): Pair | undefined {
  const theirs = there.findLast(({ kind, label }) => kind === 'held' && label === mine.label);
  return theirs && { here: mine, there: theirs, at: mine.at, pairing: 'changed' };
}

/** Steps are no calls of the edge on which they act. */
function edgeOf({ kind, from, to }: Item): string {
  return JSON.stringify([from, to, kind === 'step' ? kind : '']);
}

const mostEdits = 1_000;

function alignEdge(here: readonly Item[], there: readonly Item[]): readonly Pair[] {
  // Where almost nothing is alike, they are compared one by one.
  const changes = diffArrays(there.map(signatureOf), here.map(signatureOf), { maxEditLength: mostEdits }) ?? [
    { count: Math.min(here.length, there.length) },
    { count: there.length - here.length, removed: true },
    { count: here.length - there.length, added: true },
  ];
  const pairs: Pair[] = [];
  let [h, t, at] = [0, 0, 0];
  for (const { count = 0, added, removed } of changes) {
    for (let index = 0; index < count; index += 1) {
      const mine = removed ? undefined : here[h++];
      const theirs = added ? undefined : there[t++];
      at = mine?.at ?? at;
      if (mine && theirs)
        pairs.push({ here: mine, there: theirs, at, pairing: isSame(mine, theirs) ? 'same' : 'changed' });
      else if (mine) pairs.push({ here: mine, at, pairing: 'only-here' });
      else if (theirs) pairs.push({ there: theirs, at: at === 0 ? theirs.at : at, pairing: 'only-there' });
    }
  }
  return pairs;
}

function signatureOf({ kind, label }: Item): string {
  return `${kind} ${steadyText(label).replaceAll(/\d+/g, '#')}`;
}

function isSame(here: Item, there: Item): boolean {
  return here.outcome === there.outcome && here.isBad === there.isBad && contentOf(here) === contentOf(there);
}

/** What was asked and answered, without what differs in every run. */
export function contentOf({ event }: Item): string {
  return JSON.stringify(inOrder(steadyContent(event)), null, 2) ?? '';
}

/** The order of keys means nothing. */
function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isMap(value) || value instanceof ExactNumber) return value;
  const entries = Object.entries(value).map(([key, inner]) => [key, inOrder(inner)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

function steadyContent(event: Item['event']): unknown {
  if (event.type === 'probe.sampled') return steadyValue(event.value);
  if (event.type !== 'call') return null;
  const { params, result, error, request, response, statement, turn } = event;
  const body = (message: typeof request | undefined): unknown =>
    message && {
      json: message.json,
      text: message.text,
      events: Array.isArray(message.events) ? message.events.map(({ data }) => data) : message.events,
    };
  return steadyValue({
    ...(statement === undefined ? {} : { statement }),
    ...(params === undefined ? { request: body(request) } : { params }),
    ...(result === undefined && error === undefined
      ? { status: response?.status, response: body(response) }
      : { result, error }),
    ...(turn === undefined ? {} : { turn: { text: turn.text, calls: turn.calls, stop: turn.stop } }),
  });
}
