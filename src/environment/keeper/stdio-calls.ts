/** Calls over stdio as their taps tell them: put on the keeper's clock and numbered per edge, whichever process they crossed. */
import type { CallEvent } from '../../journal/call-event.ts';
import { Problem } from '../../kernel/problem.ts';
import type { EnvironmentContext } from '../environment-context.ts';
import { isStdioEdge } from './stdio-shapes.ts';

export interface StdioCall {
  readonly call: CallEvent;
  /** Of the tap. */
  readonly pid: number;
  /** The moment of telling, on the clock of the call: every process has its own. */
  readonly sentAt: number;
}

export function createStdioCalls(context: EnvironmentContext): (told: StdioCall) => Record<never, never> {
  const numbers = new Map<string, number>();
  const next = new Map<string, number>();
  return ({ call, pid, sentAt }) => {
    const edge = `${call.from} -> ${call.to}`;
    if (!isStdioEdge(context, call)) throw unknownEdge(edge);
    const key = `${edge} ${pid} ${call.crossing}`;
    const crossing = numbers.get(key) ?? (next.get(edge) ?? 0) + 1;
    numbers.set(key, crossing);
    next.set(edge, Math.max(crossing, next.get(edge) ?? 0));
    const offset = (context.at?.() ?? 0) - sentAt;
    const { startedAt, endedAt } = call;
    context.emit({ ...known(call), crossing, startedAt: startedAt + offset, endedAt: endedAt + offset });
    return {};
  };
}

/** A process of somebody else's told it: what does not belong to a call, such as a number in the journal, is left out. */
function known({ type, from, to, crossing, connection, protocol, ...rest }: CallEvent): CallEvent {
  const { method, path, params, result, error, request, response, faults, startedAt, endedAt, incomplete } =
    rest;
  const may = { params, result, error, response, faults, incomplete };
  const there = Object.entries(may).filter(([, value]) => value !== undefined);
  return {
    ...{ type, from, to, crossing, connection, protocol, method, path, request, startedAt, endedAt },
    ...Object.fromEntries(there),
  };
}

function unknownEdge(edge: string): Problem {
  return new Problem({
    code: 'config.unknown-name',
    where: `edge ${edge}`,
    what: 'no tool server on stdio is declared there',
    allowed: 'an edge of `shims` with `speaks: mcp`',
    next: 'declare it in the config',
  });
}
