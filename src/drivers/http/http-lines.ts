/** The connections of one attempt: as many as are in use at the same time, and used again. */
import type { Clock } from '../../kernel/clock.ts';
import type { AttemptResource } from '../attempt-resources.ts';
import { driverLimits } from '../driver-limits.ts';
import { type HttpLine, openLine } from './http-line.ts';

export interface HttpLines extends AttemptResource {
  /** An idle line. */
  take(origin: string, address?: string): HttpLine;
  /** The answer on it is complete. `saysKeepAlive`: the peer promised in a header to leave it open. */
  giveBack(origin: string, line: HttpLine, saysKeepAlive: boolean): void;
  /** For a line on which something went wrong. */
  discard(line: HttpLine): Promise<void>;
}

/** The line that was used last is taken first, so that steps one after another share one connection. */
export function openLines(clock: Clock): HttpLines {
  const idle = new Map<string, HttpLine[]>();
  const open = new Set<HttpLine>();
  const trusted = new Set<string>();
  const onProbation = new Set<string>();
  const discard = async (line: HttpLine): Promise<void> => {
    open.delete(line);
    await line.end();
  };
  const keep = (origin: string, line: HttpLine): void => {
    const others = idle.get(origin);
    if (others) others.push(line);
    else idle.set(origin, [line]);
  };
  /** Many simple servers close after each answer without announcing it; the next request would run into that close. */
  const probe = (origin: string, line: HttpLine): void => {
    onProbation.add(origin);
    clock.after(driverLimits.probationMs, () => {
      onProbation.delete(origin);
      if (!open.has(line)) return;
      if (!line.isOpen()) return void discard(line);
      trusted.add(origin);
      keep(origin, line);
    });
  };
  return {
    take: (origin, address) => {
      const line = idle.get(origin)?.pop() ?? openLine(origin, address);
      open.add(line);
      return line;
    },
    giveBack: (origin, line, saysKeepAlive) => {
      if (!open.has(line)) return;
      if (saysKeepAlive || trusted.has(origin)) keep(origin, line);
      else if (onProbation.has(origin)) void discard(line);
      else probe(origin, line);
    },
    discard,
    end: async () => {
      idle.clear();
      await Promise.all([...open].map(discard));
    },
  };
}
