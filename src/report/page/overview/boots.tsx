/** How each environment booted: what waited for what, and the chain that made it take so long. */
import { formatDuration } from '../../../kernel/duration.ts';
import { bootTimeline, durationOf, type TimelineRow } from '../../boot-timeline.ts';
import type { ReportedBoot } from '../embedded-report.ts';

export function Boots({ boots }: { readonly boots: readonly ReportedBoot[] }) {
  const [first, ...others] = boots;
  if (!first) return null;
  return (
    <>
      <Boot boot={first} />
      {others.length > 0 && (
        <details>
          <summary>
            {others.length} more {others.length === 1 ? 'environment' : 'environments'}
          </summary>
          {others.map((boot) => (
            <Boot key={`${boot.run}/${boot.environment}`} boot={boot} />
          ))}
        </details>
      )}
    </>
  );
}

function Boot({ boot }: { readonly boot: ReportedBoot }) {
  const timeline = bootTimeline(boot.events);
  const { rows, criticalPath, bootMs, criticalMs } = timeline;
  const end =
    bootMs ?? Math.max(1, ...rows.map(({ readyAt = 0, startedAt = 0 }) => Math.max(readyAt, startedAt)));
  return (
    <div class="boot">
      <p class="dim">
        {bootMs === undefined ? 'never ready' : `ready after ${formatDuration(bootMs)}`} · critical path:{' '}
        {criticalPath.map(({ name }) => name).join(' → ')}, {formatDuration(criticalMs)}
      </p>
      <ul class="timeline">
        {rows.map((row) => (
          <BootRow
            key={`${row.kind} ${row.name}`}
            row={row}
            end={end}
            isCritical={criticalPath.includes(row)}
          />
        ))}
      </ul>
    </div>
  );
}

function BootRow({
  row,
  end,
  isCritical,
}: {
  readonly row: TimelineRow;
  readonly end: number;
  readonly isCritical: boolean;
}) {
  const { kind, name, startedAt, readyAt } = row;
  const left = ((startedAt ?? end) / end) * 100;
  const width = startedAt === undefined ? 0 : Math.max(0.5, (((readyAt ?? end) - startedAt) / end) * 100);
  return (
    <li>
      <span class="name">
        {name} <span class="dim">{kind}</span>
      </span>
      <span class="track">
        <span
          class={isCritical ? 'length critical' : 'length'}
          style={{ marginLeft: `${Math.min(left, 99.5)}%`, width: `${Math.min(width, 100 - left)}%` }}
        />
      </span>
      <span class="took">{readyAt === undefined ? 'not ready' : formatDuration(durationOf(row))}</span>
    </li>
  );
}
