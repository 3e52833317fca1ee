/** `shakedown record`: performs trials with the real model behind, and keeps what it said as cassettes. */
import type { Verb } from '../verb.ts';
import { run } from './run.ts';

export const record: Verb = {
  ...run,
  summary: 'perform trials with the real model, and keep its answers as cassettes',
  usage: '[TRIAL or PATH…] [--tag TAG,…]',
  run: (call) => run.run({ ...call, options: { ...call.options, model: 'record' } }),
};
