/** `agree`: each tool call that the model said was received equally often with the same arguments, and no other was. */
import { isDeepStrictEqual } from 'node:util';
import { defined } from '../../kernel/defined.ts';
import { looksAtEdge, partyIn } from '../../kernel/edge-name.ts';
import { printValue } from '../../patterns/print-value.ts';
import type { AttemptView } from '../attempt-view.ts';
import { cameThrough } from '../blame/relay-paths.ts';
import type { AgreeQuery, ReceivedQuery } from '../derived-queries.ts';
import { whoIsBusy } from '../judge-restless.ts';
import { areAllKept, nameOf, type SeenCall } from '../seen-call.ts';
import type { CheckVerdict } from '../verdict.ts';
import { type Finding, unknown } from './finding.ts';
import { matchingCalls } from './matching-calls.ts';

interface ToolUse {
  /** Absent if a plain request does not name it. */
  readonly tool?: string;
  readonly given: unknown;
  readonly call: SeenCall;
}

const expected = 'what the model said, the tool received, as often and with the same arguments';

export function judgeAgree(
  { said, received, changed }: AgreeQuery,
  view: AttemptView,
  others: readonly CheckVerdict[],
): Finding {
  if (!areAllKept(view.calls)) return unknown(expected, 'more calls crossed than are kept');
  const wanted = saidOn(said, view).filter(
    ({ tool }) => received.tool === undefined || tool === received.tool,
  );
  const named = received.tool === undefined ? 'a tool' : received.tool;
  if (wanted.length === 0)
    return unknown(
      expected,
      `the model never said ${named} on ${said.from} -> ${said.to}: nothing to compare`,
    );
  const { uses: got, undecided } = receivedBy(received, view);
  if (undecided !== undefined) return unknown(expected, undecided);
  const evidence = [...new Set([...wanted, ...got].map(({ call }) => call.seq))];
  const apart = difference(wanted, got);
  if (apart.length > 0)
    return {
      verdict: 'failed',
      expected,
      observed: got.length > 0 ? (apart[0] ?? '') : `${apart[0]}${unseen(received)}`,
      ...(apart.length > 1 ? { explanation: apart.join('\n') } : {}),
      evidence,
    };
  if (view.restless) return unknown(expected, `the system was not quiet: ${whoIsBusy(view.restless)}`);
  return changedToo(changed, others, { evidence, observed: `${wanted.length} said, ${got.length} received` });
}

/** A call in a turn that was cut off, or with invalid arguments, was not said. */
function saidOn({ from, to }: AgreeQuery['said'], view: AttemptView): readonly ToolUse[] {
  return view.calls
    .filter(({ edge }) => looksAtEdge([edge], { from, to }) || looksAtEdge([edge], { from: to, to: from }))
    .flatMap((call) => {
      const { turn } = call.call;
      if (!turn?.complete) return [];
      return turn.calls.flatMap(({ name, arguments: given }) =>
        given === undefined ? [] : [{ tool: name, given, call }],
      );
    });
}

function receivedBy({ tool, from, to, where }: ReceivedQuery, view: AttemptView) {
  const { calls, undecided } = matchingCalls(defined({ from, to, where }), view);
  const isOnEdge = from !== undefined || to !== undefined;
  const uses = calls.flatMap((call) => {
    const use = toolUse(call, isOnEdge, tool);
    return use && (tool === undefined || use.tool === tool) ? [use] : [];
  });
  const last = isOnEdge ? uses : uses.filter((use) => !uses.some((other) => isPassedOn(use, other)));
  return undecided === undefined ? { uses: last } : { uses: last, undecided };
}

/** A party in the middle passed it on while handling it: the last one received it. */
function isPassedOn(use: ToolUse, other: ToolUse): boolean {
  const [outer, inner] = [use.call.call, other.call.call];
  return (
    use !== other &&
    inner.from === partyIn(outer.to) &&
    other.tool === use.tool &&
    JSON.stringify(other.given) === JSON.stringify(use.given) &&
    inner.startedAt >= outer.startedAt &&
    inner.endedAt <= outer.endedAt
  );
}

/** A tool that is a function of the service crosses no edge. */
function unseen({ from }: ReceivedQuery): string {
  return from === undefined
    ? '; no tap saw a call of a tool: a tool that runs inside the service cannot be observed; name another edge with `received: { calls: … }`'
    : '';
}

/** Of the tool protocol, or, on an edge that the check names, any request with a body. */
function toolUse(call: SeenCall, isOnEdge: boolean, tool: string | undefined): ToolUse | undefined {
  const { protocol, method, params, request } = call.call;
  if (protocol === 'json-rpc') {
    if (method !== 'tools/call' || typeof params !== 'object' || params === null) return undefined;
    const { name, arguments: given = {} } = params as { name?: unknown; arguments?: unknown };
    return { tool: String(name), given, call };
  }
  return isOnEdge && request.json !== undefined ? defined({ tool, given: request.json, call }) : undefined;
}

/** As text: what is missing on which side. */
function difference(said: readonly ToolUse[], received: readonly ToolUse[]): readonly string[] {
  const left = [...received];
  const lacking = said.filter((one) => {
    const at = left.findIndex((other) => isSame(one, other));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
  return [
    ...lacking.map((one) => `${textOf(one)} was said and not received (${nameOf(one.call)})`),
    ...left.map((one) => `${textOf(one)} was received and not said (${nameOf(one.call)})`),
  ];
}

/** A plain request may carry more than the arguments. */
function isSame(said: ToolUse, received: ToolUse): boolean {
  if (received.tool !== undefined && said.tool !== received.tool) return false;
  return received.call.call.protocol === 'json-rpc'
    ? isDeepStrictEqual(said.given, received.given)
    : cameThrough(said.given, received.given);
}

function textOf({ tool, given }: ToolUse): string {
  return `${tool ?? 'a request with'} ${printValue(given, 120)}`;
}

function changedToo(
  changed: string | undefined,
  others: readonly CheckVerdict[],
  { evidence, observed }: Pick<Finding, 'evidence' | 'observed'>,
): Finding {
  if (changed === undefined) return { verdict: 'passed', expected, observed, evidence };
  const check = others.find(({ id }) => id === changed);
  const all = [...evidence, ...(check?.evidence ?? [])];
  if (check?.verdict === 'passed')
    return { verdict: 'passed', expected, observed: `${observed}, ${changed} held`, evidence: all };
  const whole = `${expected}, and \`${changed}\` holds`;
  if (check?.verdict === 'failed')
    return {
      verdict: 'failed',
      expected: whole,
      observed: `${observed}, but \`${changed}\` failed: expected ${check.expected}, observed ${check.observed}`,
      evidence: all,
    };
  return unknown(whole, `\`${changed}\` is ${check ? 'unknown' : 'no check of this trial'}`, all);
}
