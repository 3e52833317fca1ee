/** Draws a boot timeline with terminal characters. */
import { formatDuration } from '../kernel/duration.ts';
import { type BootTimeline, durationOf, type TimelineRow } from './boot-timeline.ts';

export interface TimelineInk {
  /** For nodes on the critical path. */
  critical(text: string): string;
  quiet(text: string): string;
}

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
