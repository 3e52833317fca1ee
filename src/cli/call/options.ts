/** The values of options, read and checked; and the options that several verbs have. */
import type { EnvironmentRequest } from '../../campaigns/session/open-session.ts';
import type { WhoAnswers } from '../../campaigns/session/who-answers.ts';
import { defined } from '../../kernel/defined.ts';
import { parseDuration } from '../../kernel/duration.ts';
import { nearest } from '../../kernel/nearest.ts';
import { badUsage, type Problem } from '../../kernel/problem.ts';
import { type Call, type OptionSpec, optionText } from './verb.ts';

export const environmentOptions = {
  seed: { value: 'SEED', help: 'repeat the random choices of an earlier run' },
  variant: {
    value: 'NAME=VALUE,…',
    help: 'choose values of the config’s matrix; default: the first of each',
  },
  containment: {
    value: 'namespace|ledger',
    help: 'how processes are contained; default: the best this machine permits',
  },
} as const satisfies Readonly<Record<string, OptionSpec>>;

/** Of verbs that print failed trials. */
export const verboseOption = {
  verbose: { help: 'of each failed trial everything: steps, checks, calls, logs' },
} as const satisfies Readonly<Record<string, OptionSpec>>;

export function isVerbose({ options }: Call): boolean {
  return options.verbose === true;
}

export function readEnvironmentRequest(call: Call): EnvironmentRequest {
  const next = 'leave the option out to use the best that this machine permits';
  return {
    containment: choiceOption(call, 'containment', ['namespace', 'ledger'], next),
    seed: optionText(call, 'seed'),
    variant: optionText(call, 'variant'),
  };
}

/** `recording` is set by `record`. */
export function readAnswers(call: Call): WhoAnswers {
  const next = 'leave the option out to use the mode of the config';
  const model = choiceOption(call, 'model', ['script', 'record', 'cassette', 'live'], next);
  const peers = choiceOption(call, 'peers', ['script', 'record', 'cassette'], next);
  return defined({ model, peers, recording: optionText(call, 'recording') });
}

/** The values of an option that may be given several times, or with commas. */
export function optionList(call: Call, name: string): readonly string[] {
  const given = optionText(call, name);
  const values = (given ?? '').split(',').map((value) => value.trim());
  if (given === undefined || values.every(Boolean)) return given === undefined ? [] : values;
  throw badOption(
    call,
    name,
    `${JSON.stringify(given)} has an empty value`,
    'values, separated by commas',
    `write for example \`--${name} one,two\``,
  );
}

/** Undefined when the option is absent; `next` is the advice where no value is similar. */
export function choiceOption<Value extends string>(
  call: Call,
  name: string,
  values: readonly Value[],
  next: string,
): Value | undefined {
  const given = optionText(call, name);
  const value = values.find((one) => one === given);
  if (given === undefined || value !== undefined) return value;
  const guess = nearest(given, values);
  throw badOption(
    call,
    name,
    `invalid --${name} value ${JSON.stringify(given)}`,
    values.join(', '),
    guess ? `did you mean \`--${name} ${guess}\`?` : next,
  );
}

/** Undefined when the option is absent. */
export function numberOption(call: Call, name: string, least: number, most: number): number | undefined {
  const given = optionText(call, name);
  if (given === undefined) return undefined;
  const number = Number(given);
  if (/^\d+$/.test(given) && number >= least && number <= most) return number;
  throw badOption(
    call,
    name,
    `invalid number ${JSON.stringify(given)}`,
    `a whole number from ${least} to ${most}`,
    `write for example \`--${name} 2\``,
  );
}

/** Undefined when the option is absent. */
export function durationOption(call: Call, name: string, most?: string): number | undefined {
  const given = optionText(call, name);
  if (given === undefined) return undefined;
  const ms = parseDuration(given);
  const mostMs = most === undefined ? undefined : parseDuration(most);
  if (ms !== undefined && ms > 0 && ms <= (mostMs ?? ms)) return ms;
  throw badOption(
    call,
    name,
    `invalid duration ${JSON.stringify(given)}`,
    `a duration such as 90s, 10m or 2h${most === undefined ? '' : `, up to ${most}`}`,
    `write for example \`--${name} 20m\``,
  );
}

/** Rejects options that have no effect without another. */
export function refuseWithout(call: Call, needed: string, names: readonly string[]): void {
  const idle = names.find((name) => call.options[name] !== undefined);
  if (idle === undefined || call.options[needed] !== undefined) return;
  const next = `add --${needed}, or leave it out`;
  throw badOption(call, idle, `\`--${idle}\` needs \`--${needed}\``, `--${needed} with --${idle}`, next);
}

export function badOption(call: Call, name: string, what: string, allowed: string, next: string): Problem {
  return badUsage(`shakedown ${call.verb} --${name}`, what, allowed, next);
}
