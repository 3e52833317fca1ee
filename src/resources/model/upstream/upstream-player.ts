/** Lets a real provider answer: within the budget, metered as it passes, and recorded on request. */
import type { IncomingHttpHeaders } from 'node:http';
import type { ModelFault } from '../../../journal/peer-event.ts';
import { defined } from '../../../kernel/defined.ts';
import { createAnswerFold } from '../../../protocols/shapes/answer-fold.ts';
import type { FoldedTurn } from '../../../protocols/turn/turn.ts';
import type { ModelPrice } from '../../../system/system.ts';
import { ofTheConnection, passOn, type UpstreamAgents } from '../../upstream/pass-on.ts';
import type { ModelTape } from '../cassette/record-tape.ts';
import { costOf, priceOf } from '../cost-of.ts';
import { keyHeader, keyHeaders } from '../key-of.ts';
import type { CallOutcome, ModelCall } from '../model-call.ts';
import { refuseCall, sayNo } from '../refuse-call.ts';
import { type Amount, assumedOutputTokens, type Budget, worstCase } from './budget.ts';
import { providerOf, type Upstream, type Upstreams, upstreamOf, upstreamUrl } from './open-upstreams.ts';

/** Reasoning may take long before its first byte. */
const idleMs = 300_000;

export interface UpstreamPart {
  readonly upstreams: Upstreams;
  readonly prices: Readonly<Record<string, ModelPrice>>;
  /** All of them must allow a call. */
  readonly budgets: readonly Budget[];
  readonly agents: UpstreamAgents;
  /** Keeps what passes. */
  readonly tape?: ModelTape;
}

export async function answerFromUpstream(call: ModelCall, part: UpstreamPart): Promise<CallOutcome> {
  const upstream = upstreamOf(part.upstreams, call.dialect.name);
  if (upstream === undefined) return unreachable(call, noUpstream(call));
  const worst = worstCase(call, part.prices);
  const objection = part.budgets.map((budget) => budget.objection(worst)).find(Boolean);
  if (objection !== undefined) return overBudget(call, objection, part.prices);
  const reserved = part.budgets.map((budget) => budget.reserve(worst));
  const settle = (actual: Amount | undefined): void => {
    for (const reservation of reserved) reservation.settle(actual);
  };
  try {
    return await answerWithin(call, upstream, part, settle);
  } finally {
    settle(undefined);
  }
}

type Settle = (actual: Amount | undefined) => void;

async function answerWithin(
  call: ModelCall,
  upstream: Upstream,
  part: UpstreamPart,
  settle: Settle,
): Promise<CallOutcome> {
  const { dialect, request, wire, reply } = call;
  const taped = part.tape?.begin(call);
  const passed = await passOn({
    url: upstreamUrl(upstream.url, wire.target),
    wire,
    without: keyHeaders,
    headers: keyHeader(dialect.name, upstream.key, wire),
    agents: part.agents,
    idleMs,
    signal: reply.gone,
    reply,
    kept: keptHeaders,
    onHead: (status, headers) => {
      const fold = createAnswerFold({ dialect, status, headers, streamAsked: request.stream });
      taped?.head(status, headers);
      const push = (bytes: Uint8Array): void => {
        fold.push(bytes);
        taped?.piece(bytes);
      };
      return { ...fold, push };
    },
  });
  if ('unreached' in passed) {
    if (reply.isGone) return { status: 499, usage: null, fault: hungUp };
    settle(nothing);
    return unreachable(call, `${new URL(upstream.url).host} could not be reached: ${passed.unreached}`);
  }
  const { status, sink, cut } = passed;
  const isWhole = cut === undefined && !reply.isGone;
  const folded = sink.end(isWhole ? 'end' : 'cut');
  taped?.end(isWhole ? 'whole' : reply.isGone ? 'hang' : 'fin', folded);
  if (isWhole) reply.end();
  else reply.breakOff('fin');
  const { usage } = folded;
  const actual = status >= 400 && usage === null ? nothing : amountOf(call, folded, part.prices);
  settle(actual);
  const fault = overrunOf(part) ?? (cut === undefined ? undefined : brokeOff(cut));
  return {
    status,
    usage,
    ...defined({ model: folded.model, fault }),
    counted: actual ?? worstCase(call, part.prices),
  };
}

function overrunOf({ budgets }: UpstreamPart): ModelFault | undefined {
  const what = budgets.map((budget) => budget.overrun()).find(Boolean);
  return what === undefined ? undefined : { kind: 'budget', what };
}

const nothing: Amount = { usd: 0, tokens: 0 };
const hungUp: ModelFault = {
  kind: 'upstream',
  what: 'the consumer hung up before the provider had answered',
};

function brokeOff(why: string): ModelFault {
  return { kind: 'upstream', what: `the provider broke off: ${why}` };
}

function keptHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const kept = Object.entries(headers).filter(
    ([name]) => !ofTheConnection.has(name) && name !== 'set-cookie',
  );
  return Object.fromEntries(
    kept.map(([name, value]) => [name, Array.isArray(value) ? value.join(', ') : (value ?? '')]),
  );
}

function amountOf(
  { request }: ModelCall,
  { usage, model }: FoldedTurn,
  prices: UpstreamPart['prices'],
): Amount | undefined {
  if (usage === null) return undefined;
  const usd = costOf(model ?? null, usage, prices) ?? costOf(request.model, usage, prices);
  return { usd, tokens: usage.input + usage.output };
}

function overBudget(call: ModelCall, objection: string, prices: UpstreamPart['prices']): CallOutcome {
  const { model, maxTokens } = call.request;
  const hints = [
    ...(priceOf(model, prices) === undefined
      ? [`give \`prices: { ${model}: { input, output } }\` to the model`]
      : []),
    ...(maxTokens === null
      ? [`the call sets no limit to its output, so ${assumedOutputTokens} tokens are assumed`]
      : []),
  ];
  const what = [objection, ...hints].join('; ');
  return refuseCall(call, { kind: 'budget', what }, { status: 429, kind: 'billing' });
}

function unreachable(call: ModelCall, what: string): CallOutcome {
  return sayNo(call, { status: 502, kind: 'server', message: what }, 'upstream');
}

function noUpstream({ dialect }: ModelCall): string {
  return `the call is in the dialect ${dialect.name}, and the model has no \`upstreams.${providerOf(dialect.name)}\``;
}
