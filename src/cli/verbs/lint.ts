/** `shakedown lint`: reads the config as `up` would, and says all that is wrong with it. */
import { exitCodes } from '../../kernel/exit-codes.ts';
import { openSystem } from '../open-system.ts';
import type { Verb } from '../verb.ts';

export const lint: Verb = {
  summary: 'check the config without starting anything',
  usage: '',
  words: { atMost: 0 },
  options: {},
  run: async (call) => {
    const system = await openSystem(call);
    const parts = {
      resources: system.resources.length,
      jobs: system.jobs.length,
      services: system.services.length,
    };
    if (call.json)
      call.terminal.out(JSON.stringify({ file: system.file, system: system.name, ...parts, errors: [] }));
    else {
      const counted = Object.entries(parts)
        .map(([kind, count]) => `${count} ${kind}`)
        .join(', ');
      call.terminal.out(`${system.file}: ${system.name} is well-formed: ${counted}`);
    }
    return exitCodes.held;
  },
};
