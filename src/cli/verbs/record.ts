/** `shakedown record`: keeps what real models and third parties say as cassettes; or prints what crossed an edge as a script. */
import { recordEdge, recordTrial } from '../run/record-edge.ts';
import { everyResource } from '../run/recorded-resources.ts';
import { optionText, type Verb } from '../verb.ts';
import { run } from './run.ts';

export const record: Verb = {
  ...run,
  summary: 'perform trials with the real models and third parties, and keep their answers as cassettes',
  usage: '[TRIAL or PATH…] [--resource NAME,…]  |  TRIAL (--edge EDGE | --trial) [--from RUN]',
  options: {
    ...run.options,
    resource: {
      type: 'string',
      many: true,
      value: 'NAME,…',
      help: 'record only these models and third parties; the others answer as the config says',
    },
    edge: {
      type: 'string',
      value: 'EDGE',
      help: 'perform nothing: print what crossed this edge in a stored run as a script with checks',
    },
    trial: {
      type: 'boolean',
      help: 'perform nothing: print what happened in a stored run as a trial, with scripts and checks',
    },
    from: { type: 'string', value: 'RUN', help: 'with --edge or --trial: the run; the latest when absent' },
  },
  run: async (call) => {
    const edge = optionText(call, 'edge');
    if (edge !== undefined) return recordEdge(call, edge);
    if (call.options.trial === true) return recordTrial(call);
    const recording = optionText(call, 'resource') ?? everyResource;
    return run.run({ ...call, options: { ...call.options, recording } });
  },
};
