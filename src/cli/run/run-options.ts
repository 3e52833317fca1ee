/** The options of `run`, read and checked. */
import { availableParallelism } from 'node:os';
import type { SkipPolicy } from '../../campaigns/run/run-plan.ts';
import type { Selection } from '../../campaigns/run/select-trials.ts';
import { nearest } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Gate, Isolation, System } from '../../system/system.ts';
import { foreignOptions } from '../foreign/foreign-options.ts';
import { type Call, type OptionSpec, optionText } from '../verb.ts';

export const runOptions: Readonly<Record<string, OptionSpec>> = {
  tag: { type: 'string', many: true, value: 'TAG,…', help: 'only trials that have all of these tags' },
  gate: { type: 'string', value: 'NAME', help: 'only trials of this gate, with its policy on skips' },
  'last-failed': { type: 'boolean', help: 'only trials that did not pass in the latest run' },
  shard: { type: 'string', value: 'I/N', help: 'only the I-th of N parts of the selection' },
  list: { type: 'boolean', help: 'show what would be performed, and perform nothing' },
  seed: { type: 'string', value: 'SEED', help: 'repeat the random choices of an earlier run' },
  shuffle: { type: 'boolean', help: 'perform in an order drawn from the seed' },
  repeat: {
    type: 'string',
    value: 'N',
    help: 'perform everything N times; a trial that passes and fails is unstable',
  },
  parallel: {
    type: 'string',
    value: 'N',
    help: 'so many environments at once; default: half of the cores, at most 4',
  },
  isolation: {
    type: 'string',
    value: 'fresh|restart|shared',
    help: 'for trials that do not say it themselves',
  },
  model: {
    type: 'string',
    value: 'script|record|cassette|live',
    help: 'who answers for the model, whatever the config says',
  },
  peers: {
    type: 'string',
    value: 'script|record|cassette',
    help: 'who answers for third parties that have an upstream, whatever the config says',
  },
  attach: { type: 'boolean', help: 'perform on the environment that is up in this folder, and leave it up' },
  bail: { type: 'boolean', help: 'begin nothing more after the first trial that did not pass' },
  watch: { type: 'boolean', help: 'perform again whenever a file changes' },
  debug: { type: 'boolean', help: 'stop at the first failure, hold the environment, print its addresses' },
  observe: {
    type: 'boolean',
    help: 'run the command after `--` inside of the system instead of trials, and report',
  },
  ...foreignOptions,
  'no-skips': { type: 'boolean', help: 'a skipped trial is a failure of the suite' },
  variant: {
    type: 'string',
    value: 'NAME=VALUE,…',
    help: 'choose other values of the config’s matrix than the first of each',
  },
  containment: {
    type: 'string',
    value: 'namespace|ledger',
    help: 'how processes are held together; default: the best this machine permits',
  },
};

export function selectionOf(
  call: Call,
  system: System,
  lastFailed: readonly string[] | undefined,
): Selection {
  const gate = gateOf(call, system);
  const shard = shardOf(call);
  return {
    words: call.words,
    tags: (optionText(call, 'tag') ?? '').split(',').filter(Boolean),
    ...(gate ? { gate } : {}),
    ...(lastFailed ? { ids: lastFailed } : {}),
    ...(shard ? { shard } : {}),
    cwd: call.cwd,
  };
}

/**
 * What most teams mean by these names; a gate of the config takes the place of the one of its name. What they
 * ask of requirements counts only where there are some; no list of priorities means all of them.
 */
const usualGates: Readonly<Record<string, Gate>> = {
  pr: { priority: ['p0'], skips: 'forbid', requirements: { covered: ['p0'] } },
  nightly: { priority: ['p0', 'p1'], requirements: { covered: ['p0', 'p1'] } },
  weekly: { requirements: {} },
};

export function gateOf(call: Call, { gates: declared }: System): Gate | undefined {
  const name = optionText(call, 'gate');
  if (name === undefined) return undefined;
  const gates = { ...usualGates, ...declared };
  const gate = Object.hasOwn(gates, name) ? gates[name] : undefined;
  if (gate) return gate;
  const guess = nearest(name, Object.keys(gates));
  throw badOption(
    call,
    'gate',
    `there is no gate ${JSON.stringify(name)}`,
    Object.keys(gates).join(', '),
    guess ? `did you mean \`--gate ${guess}\`?` : 'declare it in the config under `gates`',
  );
}

export function skipPolicy(call: Call, gate: Gate | undefined): SkipPolicy {
  return call.options['no-skips'] === true ? 'forbid' : (gate?.skips ?? 'allow');
}

export function isolationOption(call: Call): Isolation | undefined {
  const given = optionText(call, 'isolation');
  if (given === 'fresh' && call.options.attach === true)
    throw badOption(
      call,
      'isolation',
      'an environment that somebody else holds cannot be made fresh',
      '--attach with restart or shared',
      'leave out `--attach`, or write `--isolation restart`',
    );
  if (given === undefined || given === 'fresh' || given === 'restart' || given === 'shared') return given;
  throw badOption(
    call,
    'isolation',
    `${JSON.stringify(given)} is no isolation`,
    'fresh, restart, shared',
    'leave the option out: trials and config say what they need',
  );
}

const mostByDefault = 4;

export function parallelOption(call: Call, { services }: System): number {
  const given = wholeNumber(call, 'parallel', 64);
  if (call.options.attach === true || call.options.debug === true) return 1;
  const fixed = services.find(({ listen }) => listen.some(({ how }) => how.by === 'fixed'));
  if (!fixed) return given ?? Math.max(1, Math.min(mostByDefault, Math.floor(availableParallelism() / 2)));
  if (given === undefined || given === 1) return 1;
  throw badOption(
    call,
    'parallel',
    `service ${fixed.name} has a fixed port, which only one environment at a time can have`,
    '1 with a fixed port',
    'let Shakedown choose the port: `listen: { env: PORT }`',
  );
}

export function roundsOption(call: Call): number {
  return wholeNumber(call, 'repeat', 10_000) ?? 1;
}

function shardOf(call: Call): Selection['shard'] {
  const given = optionText(call, 'shard');
  if (given === undefined) return undefined;
  const [, index, of] = /^(\d+)\/(\d+)$/.exec(given) ?? [];
  if (index !== undefined && of !== undefined && Number(index) >= 1 && Number(index) <= Number(of))
    return { index: Number(index), of: Number(of) };
  throw badOption(
    call,
    'shard',
    `${JSON.stringify(given)} is no part of a whole`,
    'I/N with I from 1 to N, such as 2/3',
    'write for example `--shard 1/3`',
  );
}

function wholeNumber(call: Call, name: string, most: number): number | undefined {
  const given = optionText(call, name);
  if (given === undefined) return undefined;
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw badOption(
    call,
    name,
    `${JSON.stringify(given)} is no such number`,
    `a whole number from 1 to ${most}`,
    `write for example \`--${name} 2\``,
  );
}

function badOption(_call: Call, name: string, what: string, allowed: string, next: string): Problem {
  return new Problem({ code: 'usage.bad-value', where: `shakedown run --${name}`, what, allowed, next });
}
