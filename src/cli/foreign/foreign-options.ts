/** The options of verbs that run somebody else's test command. */
import { observeLimits } from '../../campaigns/observe/observe-limits.ts';
import { parseDuration } from '../../kernel/duration.ts';
import { Problem } from '../../kernel/problem.ts';
import { type Call, type OptionSpec, optionText } from '../verb.ts';

export const foreignOptions: Readonly<Record<string, OptionSpec>> = {
  junit: {
    type: 'string',
    many: true,
    value: 'FILE,…',
    help: 'where the runner writes JUnit (files, folders, globs); default: what it writes to $SHAKEDOWN_JUNIT',
  },
  timeout: {
    type: 'string',
    value: 'TIME',
    help: 'end the command, and all that it started, after this; default: 10m',
  },
};

/** How long the command may take, and where its reports are. */
export interface ForeignOptions {
  readonly timeoutMs: number;
  readonly junit: readonly string[];
}

export function readForeignOptions(call: Call, verb: string): ForeignOptions {
  const junit = (optionText(call, 'junit') ?? '').split(',').filter(Boolean);
  const given = optionText(call, 'timeout');
  if (given === undefined) return { timeoutMs: observeLimits.commandMs, junit };
  const timeoutMs = parseDuration(given);
  if (timeoutMs !== undefined && timeoutMs > 0 && timeoutMs <= observeLimits.mostCommandMs)
    return { timeoutMs, junit };
  throw new Problem({
    code: 'usage.bad-value',
    where: `shakedown ${verb} --timeout`,
    what: `${JSON.stringify(given)} is no time for a command`,
    allowed: 'a duration such as 90s, 10m or 2h, up to 24h',
    next: 'write for example `--timeout 20m`',
  });
}

/** What chooses or repeats trials means nothing where the tests are somebody else's. */
export function refuseTrialOptions(call: Call, usage: string, also: readonly string[]): void {
  const known = ['config', 'json', ...Object.keys(foreignOptions), ...also];
  const stranger = Object.keys(call.options).find(
    (name) => !known.includes(name) && !usage.includes(`--${name}`),
  );
  if (stranger === undefined && call.words.length === 0) return;
  const what =
    stranger === undefined
      ? `the word ${JSON.stringify(call.words[0])} would choose trials, and the command has tests of its own`
      : `\`--${stranger}\` is about trials, and the command has tests of its own`;
  throw new Problem({
    code: 'usage.bad-value',
    where: `shakedown ${usage}${stranger === undefined ? '' : ` --${stranger}`}`,
    what,
    allowed: known
      .filter((name) => name !== 'recording')
      .map((name) => `--${name}`)
      .join(', '),
    next: 'leave it out; choose tests with the words of your own runner, after `--`',
  });
}

/** `--observe`, and what is said about a command, makes no sense without one. */
export function refuseLackOfCommand(call: Call, usage: string): void {
  if (call.command.length > 0) return;
  throw new Problem({
    code: 'usage.bad-value',
    where: `shakedown ${usage}`,
    what: 'no command stands after `--`',
    allowed: `shakedown ${usage} -- COMMAND [WORD…]`,
    next: `for example: shakedown ${usage} -- pytest -q`,
  });
}

/** A command, and what is said about one, where it is not asked for. */
export function refuseForeign(call: Call, usage: string, isAskedFor: boolean): void {
  const given = Object.keys(foreignOptions).find((name) => call.options[name] !== undefined);
  const hasCommand = call.command.length > 0;
  if (hasCommand ? isAskedFor : given === undefined) return;
  const [verb = ''] = usage.split(' ');
  throw new Problem({
    code: 'usage.bad-value',
    where: hasCommand ? `shakedown ${verb} --` : `shakedown ${verb} --${given}`,
    what: hasCommand ? 'trials need no command' : 'it says something about a command, and there is none',
    allowed: `shakedown ${usage} -- COMMAND [WORD…]`,
    next: hasCommand
      ? `to run your own tests inside of the system, write \`shakedown ${usage} -- …\``
      : 'leave it out, or name your own test command after `--`',
  });
}
