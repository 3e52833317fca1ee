/** The command that repeats this call: the verb with its options and the seed. */
import path from 'node:path';
import { shellWord } from '../../kernel/shell-word.ts';
import type { Call } from './verb.ts';

/** Options that only affect the output, or that would select something else the next time. */
const notAgain = [
  'config',
  'seed',
  'json',
  'detach',
  'watch',
  'debug',
  'verbose',
  'last-failed',
  'recording',
];

/** `verb` is the verb as called, such as `run --observe`; without a seed, a new one is drawn. */
export function againCommand(call: Call, verb: string, seed?: string): string {
  const config = call.config;
  const given = Object.entries(call.options).filter(
    ([name, value]) =>
      (value === true || typeof value === 'string') &&
      !notAgain.includes(name) &&
      !verb.includes(`--${name}`),
  );
  const positionals = [
    'shakedown',
    ...verb.split(' '),
    ...(config === undefined ? [] : ['--config', path.relative(call.cwd, path.resolve(call.cwd, config))]),
    ...given.flatMap(([name, value]) => (typeof value === 'string' ? [`--${name}`, value] : [`--${name}`])),
    ...(seed === undefined ? [] : ['--seed', seed]),
    ...call.positionals,
    ...(call.command.length > 0 ? ['--', ...call.command] : []),
  ];
  return positionals.map(shellWord).join(' ');
}
