/** When each thing began and was ready, and the chain of waits that made the boot as long as it was. Pure. */
import type { JournalEvent, NodeKind } from '../journal/event.ts';

export interface TimelineRow {
  readonly kind: NodeKind;
  readonly name: string;
  readonly after: readonly string[];
  /** Milliseconds since the journal's first moment; undefined if it has not happened yet. */
  readonly startedAt: number | undefined;
  readonly readyAt: number | undefined;
}

export type BootTimeline = ReturnType<typeof bootTimeline>;

export function bootTimeline(events: readonly JournalEvent[]) {
  const rows = events.flatMap((event) => {
    if (event.type !== 'node.waiting') return [];
    const at = (type: 'node.starting' | 'node.ready'): number | undefined =>
      events.find((candidate) => candidate.type === type && candidate.name === event.name)?.at;
    const { kind, name, after } = event;
    return [{ kind, name, after, startedAt: at('node.starting'), readyAt: at('node.ready') }];
  });
  const criticalPath = findCriticalPath(rows);
  return {
    rows: [...rows].sort(
      (a, b) => (a.startedAt ?? Number.POSITIVE_INFINITY) - (b.startedAt ?? Number.POSITIVE_INFINITY),
    ),
    /** From the first that started to the last that was ready, each waiting for the one before. */
    criticalPath,
    /** Time spent in the nodes of the critical path. */
    criticalMs: criticalPath.reduce((sum, row) => sum + durationOf(row), 0),
    /** Until everything was ready; undefined if it never was. */
    bootMs: events.find((event) => event.type === 'environment.ready')?.bootMs,
  };
}

export function durationOf(row: TimelineRow): number {
  return row.startedAt === undefined || row.readyAt === undefined ? 0 : row.readyAt - row.startedAt;
}

/** Backwards from the last that was ready, each time to its slowest dependency. */
function findCriticalPath(rows: readonly TimelineRow[]): readonly TimelineRow[] {
  const byName = new Map(rows.map((row) => [row.name, row]));
  const path: TimelineRow[] = [];
  for (let row = lastReady(rows); row && !path.includes(row); ) {
    path.unshift(row);
    row = lastReady(row.after.flatMap((name) => byName.get(name) ?? []));
  }
  return path;
}

function lastReady(rows: readonly TimelineRow[]): TimelineRow | undefined {
  return rows
    .filter((row) => row.readyAt !== undefined)
    .reduce<TimelineRow | undefined>(
      (last, row) => (last && (last.readyAt ?? 0) >= (row.readyAt ?? 0) ? last : row),
      undefined,
    );
}
