/** `shakedown lint`: reads the config as `up` would, and says all that is wrong with it. */
import { exitCodes } from '../../kernel/exit-codes.ts';
import { findUntapped, type Untapped } from '../../system/untapped.ts';
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
    const untapped = findUntapped(system);
    if (call.json) {
      call.terminal.out(
        JSON.stringify({ file: system.file, system: system.name, ...parts, untapped, errors: [] }),
      );
      return exitCodes.held;
    }
    const counted = Object.entries(parts).map(([kind, count]) => `${count} ${kind}`);
    call.terminal.out(`${system.file}: ${system.name} is well-formed: ${counted.join(', ')}`);
    if (untapped.length > 0) call.terminal.out(untappedText(untapped));
    return exitCodes.held;
  },
};

function untappedText(untapped: readonly Untapped[]): string {
  const lines = untapped.map(
    ({ from, address, where, because }) => `  ${from} -> ${address} (${where}): ${because}`,
  );
  return ['edges that no tap can see:', ...lines].join('\n');
}
