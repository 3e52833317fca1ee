/** `shakedown record`: keeps what a real model says as cassettes; or prints what crossed an edge as a script. */
import { recordEdge } from '../run/record-edge.ts';
import { optionText, type Verb } from '../verb.ts';
import { run } from './run.ts';

export const record: Verb = {
  ...run,
  summary: 'perform trials with the real model, and keep its answers as cassettes',
  usage: '[TRIAL or PATH…] [--tag TAG,…]  |  TRIAL --edge EDGE [--from RUN]',
  options: {
    ...run.options,
    edge: {
      type: 'string',
      value: 'EDGE',
      help: 'perform nothing: print what crossed this edge in a stored run as a script with checks',
    },
    from: { type: 'string', value: 'RUN', help: 'with --edge: the run; the latest when absent' },
  },
  run: async (call) => {
    const edge = optionText(call, 'edge');
    if (edge !== undefined) return recordEdge(call, edge);
    return run.run({ ...call, options: { ...call.options, model: 'record' } });
  },
};
