/** Requests that a third party sent by itself, as callbacks of the lines that caused them. Pure. */
import type { CallEvent } from '../../journal/call-event.ts';
import type { PeerCalled } from '../../journal/peer-event.ts';
import type { AnsweredCall, PeerLine } from './peer-lines.ts';
import type { RecordedPeer } from './recorded-attempt.ts';
import { echoesOf, type WritingContext, writtenSafely } from './written-value.ts';

export interface CallbackFacts {
  readonly peer: RecordedPeer;
  /** What it sent, as recorded by the taps. */
  readonly sent: readonly CallEvent[];
  /** What it recorded itself, answers and callbacks. */
  readonly shown: readonly PeerCalled[];
  readonly context: WritingContext;
}

/** Delays shorter than this are ordinary latency. */
const shortMs = 50;

export function withCallbacks(lines: readonly AnsweredCall[], facts: CallbackFacts): readonly PeerLine[] {
  const left = [...facts.sent];
  const callbacks = new Map<number, unknown[]>();
  for (const shown of facts.shown.filter(({ callback, standing }) => callback && !standing)) {
    const at = left.findIndex(({ method, path }) => method === shown.method && path === shown.path);
    const [call] = at === -1 ? [] : left.splice(at, 1);
    const cause = lines.findIndex(({ call: asked }) => numberOf(asked, facts.shown) === shown.line);
    const asked = lines[cause]?.call;
    if (!call || !asked) continue;
    callbacks.set(cause, [...(callbacks.get(cause) ?? []), callbackOf(call, asked, facts)]);
  }
  return lines.map(({ line }, index) => {
    const own = callbacks.get(index);
    return own === undefined ? line : { ...line, callback: own.length === 1 ? own[0] : own };
  });
}

/** The script line that answered a call, according to the peer's own record. */
function numberOf({ from, method, path }: CallEvent, shown: readonly PeerCalled[]): number | undefined {
  return shown.find(
    (event) => !event.callback && event.caller === from && event.method === method && event.path === path,
  )?.line;
}

function callbackOf(call: CallEvent, asked: CallEvent, { peer, context }: CallbackFacts): unknown {
  const { method, path, to, request } = call;
  const echoing = { ...context, known: new Map([...context.known, ...echoesOf(asked.request.json)]) };
  const waited = Math.round(call.startedAt - asked.endedAt);
  const body = request.json === undefined ? { text: request.text } : { json: request.json };
  return {
    ...addressOf(path, to, asked, peer),
    ...(method === 'POST' ? {} : { method }),
    ...(writtenSafely(body, echoing) as object),
    ...(waited > shortMs ? { after: `${waited}ms` } : {}),
  };
}

/** A name of its `callbacks`; or the address that the request asked to be called at. */
function addressOf(path: string, to: string, asked: CallEvent, { callbacks }: RecordedPeer): object {
  const [service = to] = to.split('.');
  const named = Object.entries(callbacks).find(([, address]) => address.startsWith(`\${${service}.`));
  if (named) {
    const below = named[1].replace(/^\$\{[^}]*\}/, '').replace(/\/+$/, '');
    return { to: named[0], path: path.startsWith(below) ? path.slice(below.length) : path };
  }
  const place = placeOfUrl(asked.request.json, path);
  return place === undefined ? { to: `http://${to}`, path } : { to: `\${request.json.${place}}` };
}

function placeOfUrl(value: unknown, path: string): string | undefined {
  if (typeof value === 'string') return URL.canParse(value) && value.endsWith(path) ? '' : undefined;
  if (typeof value !== 'object' || value === null) return undefined;
  for (const [name, inner] of Object.entries(value)) {
    const below = placeOfUrl(inner, path);
    if (below !== undefined) return below === '' ? name : `${name}.${below}`;
  }
  return undefined;
}
