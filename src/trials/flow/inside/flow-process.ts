/** The main program of a flow's process: imports the file, and lists its flows or performs one of them. */

import { realpathSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { cutText } from '../../../kernel/cut-text.ts';
import { problemToData } from '../../../kernel/problem.ts';
import { checkKinds } from '../../../kinds/check-kinds.ts';
import { addPluginKinds } from '../../../plugins/plugin-kinds.ts';
import { withConfigHooks } from '../../../system/source/config-hooks.ts';
import { refuseCommonJs } from '../../../system/source/import-config.ts';
import { importProblem } from '../../../system/source/import-problems.ts';
import { flowLimits } from '../flow-limits.ts';
import type { FlowFailure, FoundFlow, FromFlow, ToFlow } from '../flow-message.ts';
import { openFlowRegistry, type RegisteredFlow } from '../flow-registry.ts';
import { callPlace } from './call-place.ts';
import { openPerformerLine, type PerformerLine } from './performer-line.ts';
import { plainCopy } from './plain-copy.ts';
import { recordedFetch } from './recorded-fetch.ts';
import { StepFailed } from './step-failed.ts';

export interface Channel {
  send(message: FromFlow): void;
  /** Incoming messages, in order. */
  listen(listener: (message: Exclude<ToFlow, { readonly say: 'variables' }>) => void): void;
  /** Uncaught errors. */
  onUncaught(listener: (error: unknown) => void): void;
}

/** `isReplay`: what it fetches is answered from the record. */
export function runFlowProcess(channel: Channel, isReplay = false): void {
  Error.stackTraceLimit = 50;
  const time = movableTime();
  let imported: Promise<readonly RegisteredFlow[]> | undefined;
  let line = openPerformerLine(channel.send);
  let fail: (error: unknown) => void = () => undefined;
  channel.onUncaught((error) => fail(error));
  channel.listen((message) => {
    if (message.say === 'answer') {
      time.move();
      line.answered(message);
    } else if (message.say === 'list') void list(message.file, channel);
    else {
      // A replay performs the same flow again and again, each time with other answers.
      line = openPerformerLine(channel.send);
      time.begin(message.slowMs ?? 0);
      const flows = () => (imported ??= importFlows(realpathSync(message.file)));
      fail = perform(message, line, channel, flows, isReplay);
    }
  });
}

/** The clocks that a flow reads, ahead of the real ones where a replay asks for it. */
function movableTime() {
  const RealDate = Date;
  const { now } = Date;
  const { hrtime } = process;
  const elapsed = performance.now.bind(performance);
  let ahead = 0;
  let step = 0;
  const MovedDate = new Proxy(RealDate, {
    construct: (target, given, self) =>
      Reflect.construct(target, given.length === 0 ? [now() + ahead] : given, self),
  });
  const bigint = (): bigint => hrtime.bigint() + BigInt(ahead) * 1_000_000n;
  const movedHrtime = (since?: [number, number]): [number, number] => {
    const [seconds, nanoseconds] = hrtime(since);
    return [seconds + Math.floor(ahead / 1_000), nanoseconds];
  };
  return {
    begin: (slowMs: number): void => {
      [ahead, step] = [0, slowMs];
      const isMoved = slowMs > 0;
      globalThis.Date = isMoved ? MovedDate : RealDate;
      RealDate.now = isMoved ? () => now() + ahead : now;
      performance.now = isMoved ? () => elapsed() + ahead : elapsed;
      process.hrtime = isMoved ? Object.assign(movedHrtime, { bigint }) : hrtime;
    },
    move: (): void => {
      ahead += step;
    },
  };
}

async function list(given: string, channel: Channel): Promise<void> {
  const file = realpathSync(given);
  try {
    const flows = await withConfigHooks(() => importFlows(file));
    channel.send({ say: 'flows', flows: flows.map((flow) => foundFlow(flow, file)) });
  } catch (error) {
    channel.send({ say: 'broken', problem: problemToData(importProblem(file, error)) });
  }
}

async function importFlows(file: string): Promise<readonly RegisteredFlow[]> {
  const flows: RegisteredFlow[] = [];
  let isOpen = true;
  openFlowRegistry({
    add: (flow) => {
      if (!isOpen) throw new Error('a flow is declared while its file is imported, not later');
      if (flows.length >= flowLimits.flowsPerFile)
        throw new RangeError(`a file has at most ${flowLimits.flowsPerFile} flows`);
      flows.push(flow);
    },
  });
  await refuseCommonJs(file);
  await import(pathToFileURL(file).href);
  isOpen = false;
  return flows;
}

function foundFlow({ title, options, body, call }: RegisteredFlow, file: string): FoundFlow {
  const { line = 1, column = 1 } = callPlace(call, file) ?? {};
  return {
    title: typeof title === 'string' ? title : null,
    ...optionsOf(options),
    hasBody: typeof body === 'function',
    line,
    column,
  };
}

function optionsOf(options: unknown): Pick<FoundFlow, 'options' | 'oddity'> {
  if (typeof options !== 'object' || options === null) return {};
  try {
    return { options: plainCopy(options, 'the options of a flow') };
  } catch (error) {
    return { oddity: error instanceof Error ? error.message : String(error) };
  }
}

type Performing = Extract<ToFlow, { readonly say: 'perform' }>;

/** Begins it, and returns what ends it with an error that nobody caught. */
function perform(
  request: Performing,
  line: PerformerLine,
  channel: Channel,
  imported: () => Promise<readonly RegisteredFlow[]>,
  isReplay: boolean,
): (error: unknown) => void {
  const file = realpathSync(request.file);
  let isOver = false;
  const end = (failure?: FlowFailure): void => {
    if (isOver) return;
    isOver = true;
    // What its code still begins belongs to no performance.
    line.close();
    channel.send({ say: 'ended', ...(failure ? { failure } : {}) });
  };
  const fail = (error: unknown): void => end(failureOf(error, file));
  // The hooks stay while the body runs, because it may import as well.
  const performed = withConfigHooks(async () => {
    addPluginKinds(request.plugins);
    // Loaded only to perform: listing must be quick.
    const [flows, { makeContext }] = await Promise.all([imported(), import('./make-context.ts')]);
    const flow = flows[request.index];
    if (!flow) throw new Error('the file declares other flows now than when it was read');
    const asText = Function.prototype.toString.call(flow.body);
    const watches = Object.keys(checkKinds).filter(
      (kind) => checkKinds[kind]?.comparesWithBefore && new RegExp(`\\b${kind}\\b`).test(asText),
    );
    line.notify({ say: 'begins', watches });
    if (isReplay) globalThis.fetch = recordedFetch(line);
    await flow.body(makeContext({ line, file, trial: request.trial, urls: request.urls }));
    // An unhandled rejection of the last moment is reported in the next turn.
    await nextTurn();
    const unanswered = line.unanswered();
    end(unanswered.length === 0 ? undefined : notAwaited(unanswered, file));
  });
  performed.catch(fail);
  return fail;
}

function notAwaited([first = 1]: readonly number[], file: string): FlowFailure {
  return {
    message: 'the flow ended while what it had begun here was under way: write `await` before it',
    isStep: false,
    file,
    line: first,
  };
}

function failureOf(error: unknown, file: string): FlowFailure {
  const place = callPlace(error, file);
  const isStep = error instanceof StepFailed;
  const message = isStep ? error.message : messageOf(error);
  return {
    message: cutText(message, flowLimits.failureChars),
    isStep,
    ...(place ? { file: place.file, line: place.line } : {}),
  };
}

function messageOf(error: unknown): string {
  if (error instanceof Error) return `it threw ${error.name}: ${error.message}`;
  return `it threw ${typeof error === 'string' ? JSON.stringify(error) : describe(error)}`;
}

/** Even a thrown value that cannot be printed must be reported. */
function describe(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return `a ${typeof value}`;
  }
}
