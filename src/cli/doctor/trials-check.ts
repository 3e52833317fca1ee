/** The trials of this system: loaded as `run` would load them. */
import { limits } from '../../kernel/limits.ts';
import { brokenFiles } from './broken-files.ts';
import type { Check } from './check.ts';

export const trialsCheck: Check = {
  name: 'its trials',
  otherwise: 'missing',
  // A flow file may take as long as a config, and is read beside others.
  withinMs: 3 * limits.configImportMs,
  byHand: 'shakedown lint',
  look: async ({ suite }) => {
    const look = await suite;
    if (look.kind === 'none') return undefined;
    if (look.kind === 'broken') return brokenFiles(look.problems);
    const { length } = look.trials;
    if (length > 0) return { state: 'ok', detail: `${length} well-formed` };
    return {
      state: 'optional-missing',
      detail: 'none: nothing shows that the system does what it should',
      next: 'write one: docs/tutorials/first-trial.md',
    };
  },
};
