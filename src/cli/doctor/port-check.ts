/** Ports for services: chosen as a boot chooses them. */
import { ephemeralStart } from '../../environment/ports/ephemeral-range.ts';
import { createPortChooser } from '../../environment/ports/port-chooser.ts';
import { createRandom } from '../../kernel/random.ts';
import { freshSeed } from '../../kernel/unique-id.ts';
import type { Check } from './check.ts';

export const portCheck: Check = {
  name: 'free ports',
  otherwise: 'missing',
  byHand: process.platform === 'linux' ? 'ss -ltn' : 'lsof -iTCP -sTCP:LISTEN -n -P',
  look: async () => {
    const chooser = createPortChooser(createRandom(freshSeed()), undefined);
    try {
      const port = await chooser.choose();
      return { state: 'ok', detail: `for example ${port}; the machine's own begin at ${ephemeralStart()}` };
    } finally {
      chooser.release();
    }
  },
};
