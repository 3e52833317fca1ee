/** Sees what a program says that is run to look: `command: [./cli, status]`. */
import { isMap } from '../../kernel/is-map.ts';
import type { Spec } from '../../kinds/kind/step-kind.ts';
import { ObservationError, type Observer, watching } from '../observer.ts';

export const commandObserver: Observer<Spec> = {
  name: 'command',
  open: async (context) => {
    const { runCommand } = context;
    const look = async (query: Spec): Promise<unknown> => {
      if (!runCommand) throw new ObservationError('a program can be run only during an attempt');
      const { durationMs: _, error, ...seen } = await runCommand(query);
      if (!isMap(error)) return seen;
      throw new ObservationError(String(error.message), error.kind === 'timeout' ? 'later' : 'never');
    };
    return watching(context, look);
  },
};
