/** The one command that shows the same again. */
import path from 'node:path';
import type { Plan } from '../environment/plan.ts';
import { type Call, optionText } from './verb.ts';

export function againCommand(call: Call, plan: Pick<Plan, 'seed'>): string {
  const config = optionText(call, 'config');
  const given = ['variant', 'containment'].flatMap((name) => {
    const value = optionText(call, name);
    return value === undefined ? [] : [`--${name}`, value];
  });
  const words = [
    'shakedown',
    'up',
    ...(config === undefined ? [] : ['--config', path.relative(call.cwd, path.resolve(call.cwd, config))]),
    ...given,
    '--seed',
    plan.seed,
    ...(call.command.length > 0 ? ['--', ...call.command] : []),
  ];
  return words.map(quoted).join(' ');
}

/** As a shell would want it. */
function quoted(word: string): string {
  return /^[\w./:=,@-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
