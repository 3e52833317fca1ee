/** The life of a flow's process: imports the file, tells what it declares, or performs one of its flows. */
import { realpathSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { cutText } from '../../../kernel/cut-text.ts';
import { problemToData } from '../../../kernel/problem.ts';
import { withConfigHooks } from '../../../system/source/config-hooks.ts';
import { refuseCommonJs } from '../../../system/source/import-config.ts';
import { importProblem } from '../../../system/source/import-problems.ts';
import { flowLimits } from '../flow-limits.ts';
import type { FlowFailure, FoundFlow, FromFlow, ToFlow } from '../flow-message.ts';
import { openFlowRegistry, type RegisteredFlow } from '../flow-registry.ts';
import { callPlace } from './call-place.ts';
import { openPerformerLine, type PerformerLine } from './performer-line.ts';
import { plainCopy } from './plain-copy.ts';
import { StepFailed } from './step-failed.ts';

export interface Channel {
  send(message: FromFlow): void;
  /** What is said to us, one after the other. */
  listen(listener: (message: Exclude<ToFlow, { readonly say: 'variables' }>) => void): void;
  /** Whatever nobody caught. */
  onUncaught(listener: (error: unknown) => void): void;
}

export function runFlowProcess(channel: Channel): void {
  Error.stackTraceLimit = 50;
  const line = openPerformerLine(channel.send);
  channel.listen((message) => {
    if (message.say === 'answer') line.answered(message);
    else if (message.say === 'list') void list(message.file, channel);
    else void perform(message, line, channel);
  });
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

/** Observers that compare with how it was before the first act. */
const comparing = ['logs', 'events', 'process', 'changes'] as const;

type Performing = Extract<ToFlow, { readonly say: 'perform' }>;

async function perform(told: Performing, line: PerformerLine, channel: Channel): Promise<void> {
  const file = realpathSync(told.file);
  let isOver = false;
  const end = (failure?: FlowFailure): void => {
    if (isOver) return;
    isOver = true;
    channel.send({ say: 'ended', ...(failure ? { failure } : {}) });
  };
  const fail = (error: unknown): void => end(failureOf(error, file));
  channel.onUncaught(fail);
  // The hooks stay as long as the body runs: it may import, too.
  await withConfigHooks(async () => {
    // What only a performance needs is loaded by it alone: a list must be quick.
    const [flows, { makeContext }] = await Promise.all([importFlows(file), import('./make-context.ts')]);
    const flow = flows[told.index];
    if (!flow) throw new Error('the file declares other flows now than when it was read');
    const asText = Function.prototype.toString.call(flow.body);
    const watches = comparing.filter((kind) => new RegExp(`\\b${kind}\\b`).test(asText));
    line.tell({ say: 'begins', watches });
    await flow.body(makeContext({ line, file, trial: told.trial, urls: told.urls }));
    // What was rejected in the last moment, and is awaited by nobody, is told in the next turn.
    await nextTurn();
    const unanswered = line.unanswered();
    end(unanswered.length === 0 ? undefined : notAwaited(unanswered, file));
  }).catch(fail);
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

/** Even a value that cannot be told must not stop us from telling that it was thrown. */
function describe(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value);
  } catch {
    return `a ${typeof value}`;
  }
}
