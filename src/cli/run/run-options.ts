/** The options of `run`, read and checked. */

import type { SuiteRequest } from '../../campaigns/session/plan-suite.ts';
import {
  badOption,
  choiceOption,
  environmentOptions,
  numberOption,
  optionList,
  readAnswers,
  readEnvironmentRequest,
  verboseOption,
} from '../call/options.ts';
import { type Call, type OptionSpec, optionText } from '../call/verb.ts';
import { foreignOptions } from './foreign-options.ts';

export const runOptions: Readonly<Record<string, OptionSpec>> = {
  tag: { many: true, value: 'TAG,…', help: 'only trials that have all of these tags' },
  gate: { value: 'NAME', help: 'only trials of this gate, with its policy on skips' },
  'last-failed': { help: 'only trials that did not pass in the latest run' },
  shard: { value: 'I/N', help: 'only the I-th of N parts of the selection' },
  stream: {
    help: 'with --json: a line for each trial as soon as it is decided; closing standard input interrupts',
  },
  list: { help: 'show which trials would run, and run nothing' },
  seed: environmentOptions.seed,
  shuffle: { help: 'run in an order drawn from the seed' },
  repeat: { value: 'N', help: 'run everything N times; a trial that passes and fails is unstable' },
  parallel: { value: 'N', help: 'how many environments at once; default: half of the cores, at most 4' },
  isolation: { value: 'fresh|restart|shared', help: 'for trials that do not set it themselves' },
  model: { value: 'script|record|cassette|live', help: 'what answers as the model, overriding the config' },
  peers: {
    value: 'script|record|cassette',
    help: 'what answers as third parties that have an upstream, overriding the config',
  },
  attach: { help: 'run on the environment that is up in this folder, and leave it up' },
  bail: { help: 'start no more trials after the first that did not pass' },
  watch: { help: 'run again whenever a file changes' },
  debug: { help: 'stop at the first failure, hold the environment, print its addresses' },
  observe: { help: 'run the command after `--` against the system instead of trials, and report' },
  ...foreignOptions,
  ...verboseOption,
  'no-skips': { help: 'a skipped trial is a failure of the suite' },
  variant: environmentOptions.variant,
  containment: environmentOptions.containment,
};

export function readSuiteRequest(call: Call): SuiteRequest {
  const { options } = call;
  const next = 'leave the option out: trials and config declare what they need';
  return {
    ...readEnvironmentRequest(call),
    words: call.positionals,
    tags: optionList(call, 'tag'),
    shard: shardOf(call),
    gate: optionText(call, 'gate'),
    lastFailed: options['last-failed'] === true,
    attach: options.attach === true,
    isolation: choiceOption(call, 'isolation', ['fresh', 'restart', 'shared'], next),
    answers: readAnswers(call),
    rounds: numberOption(call, 'repeat', 1, 10_000) ?? 1,
    shuffled: options.shuffle === true,
    noSkips: options['no-skips'] === true,
    parallel: numberOption(call, 'parallel', 1, 64),
    bail: options.bail === true,
    debug: options.debug === true,
  };
}

function shardOf(call: Call): SuiteRequest['shard'] {
  const given = optionText(call, 'shard');
  if (given === undefined) return undefined;
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(given) ?? [];
  if (index !== undefined && of !== undefined && Number(index) >= 1 && Number(index) <= Number(of))
    return { index: Number(index), of: Number(of) };
  throw badOption(
    call,
    'shard',
    `invalid shard ${JSON.stringify(given)}`,
    'I/N with I from 1 to N, such as 2/3',
    'write for example `--shard 1/3`',
  );
}
