/** The one command that shows the same again: the verb as it was called, with the seed. */
import path from 'node:path';
import { shellWord } from '../kernel/shell-word.ts';
import { type Call, optionText } from './verb.ts';

/** How it is told, and what is another one by then. */
const notAgain = ['config', 'seed', 'json', 'detach', 'watch', 'debug', 'last-failed', 'recording'];

/** `verb` as it is called, `run --observe`; without a seed, another one is drawn. */
export function againCommand(call: Call, verb: string, seed?: string): string {
  const config = optionText(call, 'config');
  const given = Object.entries(call.options).filter(
    ([name, value]) =>
      (value === true || typeof value === 'string') &&
      !notAgain.includes(name) &&
      !verb.includes(`--${name}`),
  );
  const words = [
    'shakedown',
    ...verb.split(' '),
    ...(config === undefined ? [] : ['--config', path.relative(call.cwd, path.resolve(call.cwd, config))]),
    ...given.flatMap(([name, value]) => (typeof value === 'string' ? [`--${name}`, value] : [`--${name}`])),
    ...(seed === undefined ? [] : ['--seed', seed]),
    ...call.words,
    ...(call.command.length > 0 ? ['--', ...call.command] : []),
  ];
  return words.map(shellWord).join(' ');
}
