/** `shakedown doctor`: what this machine can do, what is missing, and how to get it. */
import { type ExitCode, exitCodes, worstExitCode } from '../../kernel/exit-codes.ts';
import { problemToData } from '../../kernel/problem.ts';
import type { Examined } from '../doctor/check.ts';
import { everyCheck } from '../doctor/every-check.ts';
import { examine } from '../doctor/examine.ts';
import { folderOf, loadConfig } from '../doctor/load-config.ts';
import { printChecks } from '../doctor/print-checks.ts';
import { interruptExitCode, listenForInterrupts } from '../interrupts.ts';
import type { Call, Verb } from '../verb.ts';

export const doctor: Verb = {
  summary: 'show what this machine can do, what is missing, and how to get it',
  usage: '',
  words: { atMost: 0 },
  options: {},
  run: async (call) => {
    const interrupts = listenForInterrupts();
    const interruption = new AbortController();
    void interrupts.first.then(() => interruption.abort());
    try {
      const folder = await folderOf(call);
      const surroundings = { call, folder, config: loadConfig(call) };
      const examined = await examine(everyCheck(folder), surroundings, interruption.signal);
      const signal = interrupts.received();
      return signal ? interruptExitCode(signal) : tell(call, examined);
    } finally {
      interrupts.stopListening();
    }
  },
};

function tell(call: Call, examined: readonly Examined[]): ExitCode {
  const exitCode = worstExitCode(examined.flatMap(exitCodesOf));
  if (!call.json) {
    printChecks(examined, call.terminal);
    return exitCode;
  }
  const checks = examined.map(({ name, state, detail, next }) => ({
    name,
    state,
    detail,
    next: next ?? null,
  }));
  const errors = examined.flatMap(({ problems }) => problems ?? []).map(problemToData);
  call.terminal.out(JSON.stringify({ checks, errors, exitCode }));
  return exitCode;
}

function exitCodesOf({ state, problems }: Examined): readonly ExitCode[] {
  if (state === 'broken') return (problems ?? []).map(({ exitCode }) => exitCode);
  return [state === 'missing' ? exitCodes.notBooted : exitCodes.held];
}
