/** The options of verbs that run an external test command. */
import { observeLimits } from '../../campaigns/observe/junit/observe-limits.ts';
import type { CommandRequest } from '../../campaigns/observe/open-command-session.ts';
import { badUsage } from '../../kernel/problem.ts';
import { againCommand } from '../call/again-command.ts';
import {
  badOption,
  durationOption,
  optionList,
  readAnswers,
  readEnvironmentRequest,
} from '../call/options.ts';
import type { Call, OptionSpec } from '../call/verb.ts';

export const foreignOptions: Readonly<Record<string, OptionSpec>> = {
  junit: {
    many: true,
    value: 'FILE,…',
    help: 'where the runner writes JUnit (files, folders, globs); default: what it writes to $SHAKEDOWN_JUNIT',
  },
  timeout: { value: 'TIME', help: 'end the command and its children after this time; default: 10m' },
};

export function readCommandRequest(call: Call, usage: string): CommandRequest {
  return {
    ...readEnvironmentRequest(call),
    words: call.command,
    timeoutMs: durationOption(call, 'timeout', '24h') ?? observeLimits.commandMs,
    junit: optionList(call, 'junit'),
    answers: readAnswers(call),
    again: againCommand(call, usage),
    // With --json, standard output must hold a single JSON document.
    show: { out: call.json ? process.stderr : process.stdout, err: process.stderr },
  };
}

/** Options that select or repeat trials do not apply to an external test command. */
export function refuseTrialOptions(call: Call, usage: string, also: readonly string[]): void {
  const known = ['config', 'json', ...Object.keys(foreignOptions), ...also];
  const stranger = Object.keys(call.options).find(
    (name) => !known.includes(name) && !usage.includes(`--${name}`),
  );
  if (stranger === undefined && call.positionals.length === 0) return;
  const what =
    stranger === undefined
      ? `the word ${JSON.stringify(call.positionals[0])} would select trials, but the command has tests of its own`
      : `\`--${stranger}\` applies to trials, but the command has tests of its own`;
  throw badUsage(
    `shakedown ${usage}${stranger === undefined ? '' : ` --${stranger}`}`,
    what,
    known
      .filter((name) => name !== 'recording')
      .map((name) => `--${name}`)
      .join(', '),
    'leave it out; select tests with the options of your own runner, after `--`',
  );
}

/** `--observe` and options for a command need a command. */
export function refuseLackOfCommand(call: Call, usage: string): void {
  if (call.command.length > 0) return;
  throw badUsage(
    `shakedown ${usage}`,
    'there is no command after `--`',
    `shakedown ${usage} -- COMMAND [WORD…]`,
    `for example: shakedown ${usage} -- pytest -q`,
  );
}

/** A command, or an option for one, where none is expected. */
export function refuseForeign(call: Call, usage: string, isAskedFor: boolean): void {
  const given = Object.keys(foreignOptions).find((name) => call.options[name] !== undefined);
  const hasCommand = call.command.length > 0;
  if (hasCommand ? isAskedFor : given === undefined) return;
  throw badOption(
    call,
    hasCommand ? '' : (given ?? ''),
    hasCommand ? 'trials take no command' : 'the option applies to a command, but there is none',
    `shakedown ${usage} -- COMMAND [WORD…]`,
    hasCommand
      ? `to run your own tests inside of the system, write \`shakedown ${usage} -- …\``
      : 'leave it out, or name your own test command after `--`',
  );
}
