/** `shakedown record`: stores answers of real models and third parties as cassettes; or prints calls as a script. */

import { everyResource } from '../../campaigns/session/who-answers.ts';
import { optionText, type Verb } from '../call/verb.ts';
import { recordEdge, recordTrial } from '../run/record-edge.ts';
import { run } from './run.ts';

export const record: Verb = {
  ...run,
  summary: 'run trials with the real models and third parties, and store their answers as cassettes',
  usage: '[TRIAL or PATH…] [--resource NAME,…]  |  TRIAL (--edge EDGE | --trial) [--from RUN]',
  options: {
    ...run.options,
    resource: {
      many: true,
      value: 'NAME,…',
      help: 'record only these models and third parties; the others use the mode of the config',
    },
    edge: {
      value: 'EDGE',
      help: 'run nothing: print the calls on this edge of a stored run as a script with checks',
    },
    trial: { help: 'run nothing: print what happened in a stored run as a trial, with scripts and checks' },
    from: { value: 'RUN', help: 'with --edge or --trial: the run; default: the latest' },
  },
  run: async (call) => {
    const edge = optionText(call, 'edge');
    if (edge !== undefined) return recordEdge(call, edge);
    if (call.options.trial === true) return recordTrial(call);
    const recording = optionText(call, 'resource') ?? everyResource;
    return run.run({ ...call, options: { ...call.options, recording } });
  },
};
