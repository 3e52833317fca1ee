/** The config of this folder: loaded as `up` would load it. */
import { limits } from '../../kernel/limits.ts';
import { brokenFiles } from './broken-files.ts';
import type { Check } from './check.ts';

export const configCheck: Check = {
  name: 'config',
  otherwise: 'missing',
  withinMs: limits.configImportMs + 2_000,
  byHand: 'shakedown lint',
  look: async ({ folder, config }) => {
    const look = await config;
    if (look.kind === 'none') {
      return {
        state: 'optional-missing',
        detail: `none in ${folder}`,
        next: 'shakedown init, or name one: --config FILE',
      };
    }
    if (look.kind === 'broken') return brokenFiles(look.problems);
    const { name, file, resources, jobs, services } = look.system;
    const counted = `${resources.length} resources, ${jobs.length} jobs, ${services.length} services`;
    return { state: 'ok', detail: `${file}: ${name}, ${counted}` };
  },
};
