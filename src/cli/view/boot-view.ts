/** Shows a boot as it happens: a list that changes in place on a terminal, plain lines elsewhere. */

import type { JournalEvent } from '../../journal/event.ts';
import type { Clock } from '../../kernel/clock.ts';
import { formatDuration } from '../../kernel/duration.ts';
import type { Terminal } from '../call/terminal.ts';

export interface BootView {
  show(event: JournalEvent): void;
  /** Erases the list; nothing is shown after that. */
  close(): void;
}

export function openBootView(terminal: Terminal, clock: Clock): BootView {
  return terminal.isLive ? liveView(terminal, clock) : plainView(terminal);
}

function plainView(terminal: Terminal): BootView {
  let open = true;
  return {
    show: (event) => {
      const line = open ? plainLine(event) : undefined;
      if (line !== undefined) terminal.out(`${formatDuration(event.at).padStart(8)}  ${line}`);
    },
    close: () => {
      open = false;
    },
  };
}

/** The line for an event while booting; undefined for events that are not shown. */
export function plainLine(event: JournalEvent): string | undefined {
  switch (event.type) {
    case 'environment.booting':
      return `booting ${event.nodes} parts, contained by ${event.containment}`;
    case 'node.starting':
      return `${event.kind} ${event.name} starts`;
    case 'node.ready':
      return `${event.kind} ${event.name} ${event.kind === 'job' ? 'is done' : 'is ready'}${event.address ? ` at ${event.address}` : ''}`;
    case 'node.attached':
      return `${event.kind} ${event.name} is somebody else's: found at ${event.url} (${event.address})`;
    case 'node.exited':
      return event.expected
        ? undefined
        : `${event.kind} ${event.name} ended by itself (${event.signal ?? event.code})`;
    case 'port.retried':
      return `service ${event.name}: port ${event.taken} is already taken, trying another`;
    case 'environment.stopping':
      return `going down: ${event.because}`;
    case 'stray.ended':
      return `ended a process that outlived its service: ${event.commandLine}`;
    default:
      return undefined;
  }
}

interface Shown {
  readonly label: string;
  state: 'waiting' | 'starting' | 'ready' | 'ended';
  since: number;
  tookMs: number;
}

const spinner = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

function liveView(terminal: Terminal, clock: Clock): BootView {
  const rows = new Map<string, Shown>();
  let drawnLines = 0;
  let turn = 0;
  let cancel: (() => void) | undefined;
  const erase = (): void => {
    if (drawnLines > 0) terminal.erase(drawnLines);
    drawnLines = 0;
  };
  const redraw = (): void => {
    erase();
    const spin = spinner[turn % spinner.length] as string;
    const shown = fitting([...rows.values()], terminal.rows - 2);
    const hidden = rows.size - shown.length;
    const lines = [
      ...shown.map((row) => drawRow(terminal, clock, row, spin)),
      ...(hidden > 0 ? [terminal.paint('dim', `  … and ${hidden} more`)] : []),
    ];
    terminal.draw(lines.map((line) => `${line}\n`).join(''));
    drawnLines = lines.length;
  };
  const tick = (): void => {
    turn += 1;
    redraw();
    cancel = clock.after(100, tick);
  };
  tick();
  return {
    show: (event) => note(rows, event, clock),
    close: () => {
      cancel?.();
      erase();
    },
  };
}

function note(rows: Map<string, Shown>, event: JournalEvent, clock: Clock): void {
  if (event.type === 'node.waiting') {
    const label = `${event.kind} ${event.name}`;
    rows.set(event.name, { label, state: 'waiting', since: clock.monotonic(), tookMs: 0 });
  }
  if (event.type !== 'node.starting' && event.type !== 'node.ready' && event.type !== 'node.exited') return;
  const row = rows.get(event.name);
  if (!row || (event.type === 'node.exited' && event.expected)) return;
  if (event.type === 'node.starting') row.since = clock.monotonic();
  else row.tookMs = clock.monotonic() - row.since;
  row.state = states[event.type];
}

const states = { 'node.starting': 'starting', 'node.ready': 'ready', 'node.exited': 'ended' } as const;

/** As many as fit on the screen, active ones first: lines that have scrolled away cannot be redrawn. */
function fitting(rows: readonly Shown[], room: number): readonly Shown[] {
  if (rows.length <= room) return rows;
  const interest = { starting: 0, ended: 0, waiting: 1, ready: 2 };
  return [...rows].sort((a, b) => interest[a.state] - interest[b.state]).slice(0, Math.max(1, room - 1));
}

function drawRow(terminal: Terminal, clock: Clock, row: Shown, spin: string): string {
  const { label, state } = row;
  if (state === 'waiting') return terminal.paint('dim', `  · ${label}`);
  if (state === 'ready')
    return `  ${terminal.paint('green', '✓')} ${label} ${terminal.paint('dim', formatDuration(row.tookMs))}`;
  if (state === 'ended') return `  ${terminal.paint('red', '✗')} ${label}`;
  return `  ${terminal.paint('cyan', spin)} ${label} ${terminal.paint('dim', formatDuration(clock.monotonic() - row.since))}`;
}
