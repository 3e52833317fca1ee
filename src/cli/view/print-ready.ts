/** What is shown once everything is ready: the timeline, the addresses, and what to do next. */
import type { EnvironmentStatus } from '../../environment/environment-status.ts';
import type { JournalEvent } from '../../journal/event.ts';
import { bootTimeline } from '../../report/boot-timeline.ts';
import { drawTimeline } from '../../report/draw-timeline.ts';
import type { Call } from '../verb.ts';
import { statusTable } from './status-table.ts';

export function printReady(call: Call, status: EnvironmentStatus, events: readonly JournalEvent[]): void {
  const { terminal } = call;
  if (call.json) {
    terminal.out(JSON.stringify(status));
    return;
  }
  const ink = {
    critical: (text: string) => terminal.paint('yellow', text),
    quiet: (text: string) => terminal.paint('dim', text),
  };
  terminal.out(drawTimeline(bootTimeline(events), terminal.columns, ink));
  terminal.out('');
  terminal.out(statusTable(status, terminal));
  terminal.out('');
  terminal.out(call.command.length > 0 ? nextHint(call) : terminal.hint(nextHint(call)));
}

function nextHint(call: Call): string {
  if (call.command.length > 0) return `running: ${call.command.join(' ')}`;
  return call.options.detach === true
    ? 'It stays up. Look: shakedown status, shakedown logs -f. End it: shakedown down'
    : 'Held open. Ctrl-C takes everything down. Elsewhere: shakedown status, shakedown logs -f';
}
