/** A boot in time: when each thing began and was ready, the chain of waits that made it as long as it was, and how that is drawn. Pure. */
import type { JournalEvent, NodeKind } from '../journal/event.ts';
import { formatDuration } from '../kernel/duration.ts';

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

interface TimelineInk {
  /** For nodes on the critical path. */
  critical(text: string): string;
  quiet(text: string): string;
}

/** Draws a boot timeline with terminal characters. */
export function drawTimeline(timeline: BootTimeline, columns: number, ink: TimelineInk): string {
  const endMs =
    timeline.bootMs ?? Math.max(1, ...timeline.rows.map((row) => row.readyAt ?? row.startedAt ?? 0));
  const nameWidth = Math.max(4, ...timeline.rows.map(({ kind, name }) => kind.length + name.length + 1));
  const barWidth = Math.max(16, Math.min(60, columns - nameWidth - 16));
  const lines = timeline.rows.map((row) => {
    const critical = timeline.criticalPath.includes(row);
    const paint = critical ? ink.critical : ink.quiet;
    const time = row.readyAt === undefined ? 'not ready' : formatDuration(durationOf(row));
    const label = `${row.kind} ${row.name}`.padEnd(nameWidth);
    return `  ${label} ${paint(drawBar(row, endMs, barWidth, critical))} ${time.padStart(8)}`;
  });
  return [
    `  ${' '.repeat(nameWidth)} ${ink.quiet(scale(endMs, barWidth))}`,
    ...lines,
    `  ${explain(timeline)}`,
  ].join('\n');
}

/** Solid on the critical path, light elsewhere, so that it can be read without colour. */
function drawBar(row: TimelineRow, endMs: number, width: number, critical: boolean): string {
  if (row.startedAt === undefined) return ' '.repeat(width);
  const from = Math.min(width - 1, Math.round((row.startedAt / endMs) * width));
  const to = Math.max(from + 1, Math.round(((row.readyAt ?? endMs) / endMs) * width));
  return `${' '.repeat(from)}${(critical ? '█' : '░').repeat(Math.min(to, width) - from)}`.padEnd(width);
}

function scale(endMs: number, width: number): string {
  const end = formatDuration(endMs);
  return `0${'─'.repeat(Math.max(1, width - end.length - 1))}${end}`;
}

function explain(timeline: BootTimeline): string {
  const chain = timeline.criticalPath
    .map((row) => `${row.name} ${formatDuration(durationOf(row))}`)
    .join(' → ');
  if (timeline.bootMs === undefined) return `█ longest chain so far: ${chain || 'nothing was ready'}`;
  const rest = formatDuration(Math.max(0, timeline.bootMs - timeline.criticalMs));
  return `█ critical path: ${chain} = ${formatDuration(timeline.criticalMs)}; Shakedown itself ${rest}`;
}
