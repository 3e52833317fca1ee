/** The state of an environment as a text table. */
import type { EnvironmentStatus } from '../../environment/environment-status.ts';
import type { Terminal } from '../call/terminal.ts';

export function statusTable(status: EnvironmentStatus, terminal: Terminal): string {
  const rows = [
    ...status.resources.map(({ name, state, pid, url, kind }) => [kind, name, state, pid ?? '', url ?? '']),
    ...status.jobs.map(({ name, state }) => ['job', name, state, '', '']),
    ...status.services.map(({ name, state, pid, url, exit, at }) => [
      at === undefined ? 'service' : 'attached',
      name,
      exit && state === 'exited' ? `died (${exit.signal ?? exit.code})` : state,
      pid ?? '',
      at === undefined ? (url ?? '') : `${url ?? ''} leads to ${at.join(', ')}`,
    ]),
  ].map((row) => row.map(String));
  const widths = [0, 1, 2, 3].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) => {
    const cells = row.map((cell, column) => (column < 4 ? cell.padEnd(widths[column] ?? 0) : cell));
    return `  ${paintState(cells.join('  '), row[2] as string, terminal)}`.trimEnd();
  });
  const head = `${status.system} is ${status.state}: environment ${status.environment}, run ${status.run}, keeper ${status.keeper.pid}`;
  return [terminal.paint('bold', head), ...lines].join('\n');
}

function paintState(line: string, state: string, terminal: Terminal): string {
  if (state === 'failed' || state === 'exited' || state.startsWith('died'))
    return terminal.paint('red', line);
  return state === 'ready' || state === 'done' ? line : terminal.paint('dim', line);
}
