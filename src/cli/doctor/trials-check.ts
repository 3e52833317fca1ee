/** The trials of this system: loaded as `run` would load them. */
import { limits } from '../../kernel/limits.ts';
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
    if (look.kind === 'broken') {
      const [first] = look.problems;
      const more = look.problems.length > 1 ? `, and ${look.problems.length - 1} more` : '';
      return {
        state: 'broken',
        detail: `${first?.what}${more}`,
        next: first?.next ?? 'shakedown lint',
        problems: look.problems,
      };
    }
    const { length } = look.trials;
    if (length > 0) return { state: 'ok', detail: `${length} well-formed` };
    return {
      state: 'optional-missing',
      detail: 'none: nothing shows that the system does what it should',
      next: 'write one: docs/tutorials/first-trial.md',
    };
  },
};
