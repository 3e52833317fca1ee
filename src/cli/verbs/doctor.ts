/** `shakedown doctor`: what this machine can do, what is missing, and how to get it; with `--live`, whether the system works. */
import { type ExitCode, exitCodes, worstExitCode } from '../../kernel/exit-codes.ts';
import { problemToData } from '../../kernel/problem.ts';
import type { Examined } from '../doctor/check.ts';
import { everyCheck } from '../doctor/every-check.ts';
import { examine } from '../doctor/examine.ts';
import { examineLive, type LiveAnswer } from '../doctor/examine-live.ts';
import { folderOf, loadConfig } from '../doctor/load-config.ts';
import { printChecks } from '../doctor/print-checks.ts';
import { loadSuite } from '../doctor/suite-look.ts';
import { interruptExitCode, listenForInterrupts } from '../interrupts.ts';
import type { Call, Verb } from '../verb.ts';

export const doctor: Verb = {
  summary: 'show what this machine can do, what is missing, and how to get it',
  usage: '[--live]',
  words: { atMost: 0 },
  options: {
    live: {
      type: 'boolean',
      help: 'boot your own system for real, and perform one smoke trial through each way in',
    },
  },
  run: async (call) => {
    const interrupts = listenForInterrupts();
    const interruption = new AbortController();
    void interrupts.first.then(() => interruption.abort());
    try {
      const folder = await folderOf(call);
      const config = loadConfig(call);
      const surroundings = { call, folder, config, suite: loadSuite(config) };
      const examined = await examine(everyCheck(folder), surroundings, interruption.signal);
      if (interrupts.received()) return interruptExitCode(interrupts.received() ?? 'SIGINT');
      const live = await examineLive(call, await surroundings.suite, examined, interrupts);
      const signal = interrupts.received();
      return signal ? interruptExitCode(signal) : tell(call, examined, live);
    } finally {
      interrupts.stopListening();
    }
  },
};

function tell(call: Call, examined: readonly Examined[], live: LiveAnswer | undefined): ExitCode {
  const rows = live?.rows ?? [];
  const exitCode = worstExitCode([
    ...[...examined, ...rows].flatMap(exitCodesOf),
    ...(live?.exitCode === undefined ? [] : [live.exitCode]),
  ]);
  if (!call.json) {
    printChecks(examined, live, call.terminal);
    return exitCode;
  }
  const errors = [...examined, ...rows].flatMap(({ problems }) => problems ?? []).map(problemToData);
  const told = live && {
    tried: live.tried,
    run: live.run ?? null,
    checks: rows.map((row) => ({ ...plain(row), trial: row.trial ?? null })),
  };
  call.terminal.out(
    JSON.stringify({ checks: examined.map(plain), errors, exitCode, ...(told ? { live: told } : {}) }),
  );
  return exitCode;
}

function plain({ name, state, detail, next }: Examined): object {
  return { name, state, detail, next: next ?? null };
}

function exitCodesOf({ state, problems }: Examined): readonly ExitCode[] {
  if (state === 'broken') return (problems ?? []).map(({ exitCode }) => exitCode);
  return [state === 'missing' ? exitCodes.notBooted : exitCodes.held];
}
