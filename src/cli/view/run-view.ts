/** The terminal view of a run: a line for each passed trial, details for each other, and a live line below. */
import type { RunStart, RunView } from '../../campaigns/session/perform-run.ts';
import type { Verdict } from '../../checks/verdict.ts';
import type { EnvironmentStatus } from '../../environment/environment-status.ts';
import type { PeerRecorded } from '../../journal/peer-event.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { formatTrial } from '../../report/terminal/format-trial.ts';
import { estimateLeft, progressLine } from '../../report/terminal/progress-line.ts';
import { isVerbose } from '../call/options.ts';
import type { Call } from '../call/verb.ts';

const redrawMs = 120;

export function openRunView(call: Call, start: RunStart): RunView {
  const { terminal, clock, json } = call;
  const { plan, runFolder } = start;
  const { columns, paint } = terminal;
  let isLive = terminal.isLive && !json;
  const running = new Map<string, number>();
  const counts: Partial<Record<Verdict, number>> = {};
  const left = plan.trials
    .filter(({ skipReason }) => skipReason === undefined)
    .flatMap(({ id, attempts }) => Array.from({ length: attempts * plan.rounds }, () => id));
  const total = left.length;
  let drawn = false;
  let cancel: (() => void) | undefined;
  const erase = (): void => {
    if (drawn) terminal.erase(0);
    drawn = false;
  };
  const draw = (): void => {
    erase();
    const under = [...running].map(([id, since]) => ({ id, ranMs: clock.monotonic() - since }));
    const leftMs = estimateLeft({
      waiting: left,
      running: under,
      earlierMs: start.earlierMs,
      atOnce: start.parallel,
    });
    terminal.draw(progressLine({ total, counts, running: under, leftMs }, columns - 1));
    drawn = true;
  };
  const tick = (): void => {
    draw();
    cancel = clock.after(redrawMs, tick);
  };
  if (isLive) tick();
  const say: RunView['say'] = (text, tone) => {
    if (json) return;
    erase();
    terminal.out(tone ? paint(tone, text) : text);
    if (isLive) draw();
  };
  return {
    say,
    event: (event) => {
      if (event.type === 'environment.ready' && !plan.attached)
        say(`environment ready after ${formatDuration(event.bootMs)}`, 'dim');
      if (event.type === 'peer.recorded') say(formatRecorded(event));
    },
    started: (id) => {
      running.set(id, clock.monotonic());
      const index = left.indexOf(id);
      if (index >= 0) left.splice(index, 1);
    },
    ended: (trial, { verdict, events, twins }) => {
      running.delete(trial);
      counts[verdict.verdict] = (counts[verdict.verdict] ?? 0) + 1;
      say(formatTrial(verdict, events, { ...terminal, runFolder, verbose: isVerbose(call) }).join('\n'));
      if (twins.length > 0) say(`  provided that ${twins.join(', ')} passes, too`, 'dim');
    },
    hold: async (text, status) => {
      for (const line of [text, ...addressLines(status), 'inspect it; Enter or Ctrl-C ends it'])
        terminal.err(line);
      await entered();
    },
    close: () => {
      isLive = false;
      cancel?.();
      erase();
    },
  };
}

function addressLines({ services, resources }: EnvironmentStatus): readonly string[] {
  return [
    ...services.map(
      ({ name, url, pid, state }) => `  ${name.padEnd(20)} ${url ?? '-'}  pid ${pid ?? '-'}  ${state}`,
    ),
    ...resources.map(({ name, url }) => `  ${name.padEnd(20)} ${url ?? '-'}`),
  ];
}

function entered(): Promise<void> {
  return new Promise((resolve) => {
    process.stdin.resume();
    process.stdin.once('data', () => {
      process.stdin.pause();
      resolve();
    });
  });
}

function formatRecorded({ file, calls, because, stays }: PeerRecorded): string {
  if (because === undefined) return `recorded ${file}: ${calls === 1 ? 'one call' : `${calls} calls`}`;
  return `${file} ${stays ? 'stays as it was' : 'was not written'}: ${because}`;
}
