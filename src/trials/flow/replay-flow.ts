/** Performs a flow again without its system: everything that it asks for is answered from a record. */
import { holdAgainst } from '../../checks/hold-against.ts';
import type { ActEvidence } from '../../drivers/driver.ts';
import type { Clock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import { defined } from '../../kernel/defined.ts';
import { stepKind } from '../../kinds/step-kinds.ts';
import { addedPlugins } from '../kinds/added-plugins.ts';
import { joined, lineOf, type Reply } from './do-act.ts';
import type { FlowTrial } from './flow-context.ts';
import type { Ask, Declaration, FlowFailure, FromFlow } from './flow-message.ts';
import { type FlowProcess, startFlowProcess } from './start-flow-process.ts';

/** What a flow was given, by the name of the step or by the number of the look. */
export interface FlowRecord {
  readonly steps: ReadonlyMap<string, unknown>;
  readonly looks: readonly unknown[];
  /** What a wait ended with, by the name of its step. */
  readonly waits: ReadonlyMap<string, unknown>;
  readonly trial: FlowTrial;
  readonly urls: Readonly<Record<string, string>>;
  /** What its own calls of `fetch` were answered, in their order. */
  readonly fetched?: readonly Fetched[];
}

export interface Fetched {
  readonly method: string;
  /** With the address in `urls`. */
  readonly url: string;
  /** Status, headers, and a body as `json` or `text`. */
  readonly answer: unknown;
}

export interface Replayed {
  readonly declared: readonly Declaration[];
  /** It ended early; or it did not end, or asked for something that is not in the record. */
  readonly failure?: FlowFailure | NotDecided;
}

type NotDecided = 'not-recorded' | 'not-ended';

export interface FlowReplay {
  /** `slowMs`: how much the clock of the flow is moved with every answer. */
  perform(record: FlowRecord, slowMs?: number): Promise<Replayed>;
  close(): Promise<void>;
}

export interface ReplayOptions {
  readonly file: string;
  /** Of the flow in its file. */
  readonly index: number;
  readonly folder: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
}

const longestMs = 3_000;
/** With the start of its process, on a machine that is busy. */
const firstMs = 20_000;
/** For all performances but the first together; then none is begun any more. */
const mostMs = 20_000;
/** The same on a busy machine: by how long the first performance in a running process took. */
const timesLonger = 20;
const timesMost = 200;
const longestAllMs = 30_000;
/** A flow that goes on asking for what is not in the record is not heard any longer. */
const mostUnknown = 20;

/** One process for all performances; a new one after a flow that did not end. */
export function openFlowReplay(options: ReplayOptions): FlowReplay {
  const { clock } = options;
  let process: FlowProcess | undefined;
  let hear: (message: FromFlow) => void = () => undefined;
  let spentMs = 0;
  let usualMs = 0;
  const start = (): FlowProcess =>
    startFlowProcess({
      ...options,
      mode: 'replay',
      onMessage: (message) => hear(message),
      onOutput: () => undefined,
    });
  const end = async (): Promise<void> => {
    await process?.end();
    process = undefined;
  };
  return {
    close: end,
    perform: async (record, slowMs) => {
      if (spentMs >= Math.min(longestAllMs, Math.max(mostMs, timesMost * usualMs)))
        return { declared: [], failure: 'not-ended' };
      const began = clock.monotonic();
      const isStarted = process !== undefined;
      const patienceMs = isStarted ? Math.max(longestMs, timesLonger * usualMs) : firstMs;
      process ??= start();
      const performed = performOnce(process, record, options, slowMs);
      hear = performed.hear;
      const replayed = await within(clock, patienceMs, performed.ended);
      // Code that is still under way would disturb the next performance.
      if (!replayed) {
        process.kill();
        await end();
      }
      const tookMs = clock.monotonic() - began;
      if (isStarted && replayed) usualMs ||= tookMs;
      // How long a process takes to start says nothing about the flow.
      spentMs += isStarted || !replayed ? tookMs : Math.min(tookMs, longestMs);
      return replayed ?? { declared: performed.declared, failure: 'not-ended' };
    },
  };
}

function performOnce(
  flow: FlowProcess,
  record: FlowRecord,
  { file, index }: ReplayOptions,
  slowMs: number | undefined,
) {
  const declared: Declaration[] = [];
  const over = Promise.withResolvers<Replayed | undefined>();
  void flow.gone.then(() => over.resolve(undefined));
  let unknown = 0;
  const answer = answersFrom(record, () => {
    unknown += 1;
    if (unknown > mostUnknown) over.resolve(undefined);
  });
  const hear = (message: FromFlow): void => {
    // What it does without an answer proves nothing.
    if (message.say === 'check' && unknown === 0) declared.push(message.check);
    else if (message.say === 'ended')
      over.resolve(defined({ declared, failure: unknown > 0 ? 'not-recorded' : message.failure }));
    else if (message.say === 'asks')
      for (const ask of message.asks) flow.send({ say: 'answer', id: ask.id, ...answer(ask) });
  };
  const { trial, urls } = record;
  const plugins = addedPlugins();
  flow.send({ say: 'perform', file, index, trial, urls, plugins, ...defined({ slowMs }) });
  return { declared, hear, ended: over.promise };
}

/** Names and numbers as the performer gives them. */
function answersFrom(record: FlowRecord, onUnknown: () => void): (ask: Ask) => Reply {
  const lines = new Map<string, ActEvidence>();
  let steps = 0;
  let looks = 0;
  const unknown = (): Reply => {
    onUnknown();
    return { fault: 'it is not in the record' };
  };
  const fetch = fetchFrom(record.fetched ?? []);
  return (ask) => {
    if (ask.do === 'fetch') {
      const found = fetch(ask);
      return found ? { value: found.answer } : unknown();
    }
    if (ask.do === 'look') {
      looks += 1;
      if (looks > record.looks.length) return unknown();
      return { value: record.looks[looks - 1], origin: { looked: ask.watched, at: 0 } };
    }
    steps += 1;
    if (ask.do === 'until') {
      const name = `#${steps}`;
      if (!record.waits.has(name)) return unknown();
      const value = record.waits.get(name);
      const { watched, pattern } = ask;
      if (!holdAgainst({ expect: pattern }, value).held) return { fault: 'it waited in vain' };
      return watched.kind === 'exchange' ? { value } : { value, origin: { looked: watched, at: 0 } };
    }
    const { kind, spec, settings } = ask;
    const name = settings.as ?? (stepKind(kind).opens?.(spec) ? `${kind}-${steps}` : `#${steps}`);
    if (!record.steps.has(name)) return unknown();
    const value = record.steps.get(name);
    const line = lineOf({ kind, name, spec });
    if (line === undefined) return { value, origin: { step: name } };
    lines.set(line, joined(lines.get(line) ?? {}, value as ActEvidence));
    return { value, connection: line, soFar: lines.get(line) };
  };
}

/** Each answer once; what changes nothing can be asked for again, and then the last answer is repeated. */
function fetchFrom(fetched: readonly Fetched[]): (asked: Omit<Fetched, 'answer'>) => Fetched | undefined {
  const left = [...fetched];
  return ({ method, url }) => {
    const isAsked = (one: Fetched): boolean => one.method === method && one.url === url;
    const at = left.findIndex(isAsked);
    if (at >= 0) return left.splice(at, 1)[0];
    return method === 'GET' || method === 'HEAD' ? fetched.findLast(isAsked) : undefined;
  };
}
