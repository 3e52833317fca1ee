/** Checks that would detect a change: requests on an edge and their answers, as far as they are stable. Pure. */

import type { CallEvent } from '../../journal/call-event.ts';
import { withoutSecretFields } from '../../journal/secret-fields.ts';
import { steadyText } from '../../journal/steady-value.ts';
import { isContainer } from '../../kernel/exact-json.ts';
import { stablePattern } from './stable-pattern.ts';
import type { RecordedStep } from './step-lines.ts';
import { type WritingContext, writtenValue } from './written-value.ts';

type Checks = Readonly<Record<string, unknown>>;

/** More calls of one edge are only counted. */
const mostListed = 20;

export interface EdgeFacts {
  readonly edge: string;
  /** The calls of each attempt. */
  readonly attempts: readonly (readonly CallEvent[])[];
  /** Some of them came after the answer to the last step. */
  readonly isLate: boolean;
}

export function edgeChecks({ edge, attempts, isLate }: EdgeFacts, context: WritingContext): Checks {
  const tools = attempts.map((calls) => calls.filter(isToolCall));
  const isOfTools = attempts.some((calls) => calls.some(({ protocol }) => protocol === 'json-rpc'));
  const looked = isOfTools ? tools : attempts;
  const [calls = []] = looked;
  if (calls.length === 0) return {};
  return {
    [`${edge.replaceAll(/[^\w]+/g, '-').toLowerCase()}-calls`]: {
      calls: edge,
      ...(isOfTools ? { where: { method: 'tools/call' } } : {}),
      ...expectation(calls, looked, context),
      ...(isLate ? { within: '5s' } : {}),
    },
  };
}

function expectation(
  calls: readonly CallEvent[],
  attempts: EdgeFacts['attempts'],
  context: WritingContext,
): object {
  const counts = attempts.map(({ length }) => length);
  if (counts.some((count) => count !== calls.length)) return { count: { $gte: Math.min(...counts) } };
  if (calls.length > mostListed) return { count: calls.length };
  const seen = calls.map((_, index) => {
    const same = attempts.map((one) => one[index]);
    return callPattern(same, context);
  });
  return { expect: writtenValue(overlap(calls) ? { $unordered: seen } : seen, context) };
}

/** Handshakes and pings of a tool server are not checked. */
function isToolCall({ protocol, method }: CallEvent): boolean {
  return protocol === 'json-rpc' && method === 'tools/call';
}

/** `attempts` are the same step in each attempt. */
export function stepChecks(attempts: readonly RecordedStep[], context: WritingContext): Checks {
  const [step] = attempts;
  if (!step || Object.keys(step.result).length === 0) return {};
  const results = attempts.map(({ result }) => withoutSecretFields(result));
  const pattern = stablePattern(results, [context.uid]);
  if (!isContainer(pattern) || Object.keys(pattern).length === 0) return {};
  return {
    [`${step.name}-answered`]: {
      title: `what ${step.call.to} answers to ${titleOf(step.call)}`,
      exchange: step.name,
      expect: writtenValue(pattern, context),
    },
  };
}

function titleOf({ protocol, method, path, params }: CallEvent): string {
  if (protocol === 'http') return `${method} ${steadyText(path.split('?')[0] ?? path)}`;
  const tool = isContainer(params) ? Reflect.get(params, 'name') : undefined;
  return typeof tool === 'string' ? `${method} ${tool}` : method;
}

/** A longer body is omitted: the check would not be readable. */
const mostChars = 1_500;

function callPattern(calls: readonly (CallEvent | undefined)[], { uid }: WritingContext): unknown {
  const pattern = stablePattern(calls.map(callInShort), [uid]);
  if (JSON.stringify(pattern)?.length < mostChars) return pattern;
  const { request: _request, params: _params, ...rest } = pattern as Readonly<Record<string, unknown>>;
  return rest;
}

function callInShort(call: CallEvent | undefined): object {
  if (!call) return {};
  const { protocol, method, path, params, request, response, turn } = call;
  const status = response ? { status: response.status } : {};
  if (protocol === 'json-rpc')
    return { method, ...(params === undefined ? {} : { params: withoutSecretFields(params) }), ...status };
  if (turn) return { method, path, ...status, turn: { text: turn.text, calls: turn.calls.map(toolOf) } };
  const json = request.json === undefined ? {} : { request: { json: withoutSecretFields(request.json) } };
  return { method, path, ...json, ...status };
}

function toolOf({ name, arguments: args }: NonNullable<CallEvent['turn']>['calls'][number]): object {
  return { name, ...(args === undefined ? {} : { arguments: args }) };
}

/** Whether two of them overlapped: then their order is not known. */
function overlap(calls: readonly CallEvent[]): boolean {
  return calls.some((call, index) => {
    const next = calls[index + 1];
    return next !== undefined && next.startedAt < call.endedAt;
  });
}
