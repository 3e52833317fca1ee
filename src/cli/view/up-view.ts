/** The terminal view of `up`: the boot as it happens, then the timeline, the addresses and the next steps. */
import type { UpView } from '../../campaigns/up/up.ts';
import type { EnvironmentStatus } from '../../environment/environment-status.ts';
import type { JournalEvent } from '../../journal/event.ts';
import { bootTimeline, drawTimeline } from '../../report/boot-timeline.ts';
import { print, printProblems } from '../call/print.ts';
import type { Call } from '../call/verb.ts';
import { openBootView } from './boot-view.ts';
import { statusTable } from './status-table.ts';

export function openUpView(call: Call): UpView {
  const boot = call.json ? undefined : openBootView(call.terminal, call.clock);
  return {
    event: (event) => boot?.show(event),
    booted: () => boot?.close(),
    ready: (status, events) => print(call, status, () => readyLines(call, status, events)),
    problems: (problems) => printProblems(call, problems),
  };
}

function readyLines(
  { terminal, command, options }: Call,
  status: EnvironmentStatus,
  events: readonly JournalEvent[],
): readonly string[] {
  const ink = {
    critical: (text: string) => terminal.paint('yellow', text),
    quiet: (text: string) => terminal.paint('dim', text),
  };
  const next =
    options.detach === true
      ? 'It stays up. Look: shakedown status, shakedown logs -f. End it: shakedown down'
      : 'Held open. Ctrl-C takes everything down. Elsewhere: shakedown status, shakedown logs -f';
  return [
    drawTimeline(bootTimeline(events), terminal.columns, ink),
    '',
    statusTable(status, terminal),
    '',
    command.length > 0 ? `running: ${command.join(' ')}` : terminal.hint(next),
  ];
}
