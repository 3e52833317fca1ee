/** What the machine provides: Node, the shell programs that a guard needs, free ports. */

import { ephemeralStart } from '../../../environment/ports/ephemeral-range.ts';
import { createPortChooser } from '../../../environment/ports/port-chooser.ts';
import { createRandom } from '../../../kernel/random.ts';
import { freshSeed } from '../../../kernel/unique-id.ts';
import { locate } from './ask-program.ts';
import type { Check } from './check.ts';

const supported: readonly NodeJS.Platform[] = ['linux', 'darwin'];

/** Node and the platform. A Node that is too old never gets here: the binary rejects it. */
export const nodeCheck: Check = {
  name: 'node',
  otherwise: 'missing',
  look: async () => {
    const detail = `${process.version} on ${process.platform} ${process.arch}`;
    if (supported.includes(process.platform)) return { state: 'ok', detail };
    return {
      state: 'missing',
      detail: `${detail}; Shakedown runs on ${supported.join(' and ')}`,
      next:
        process.platform === 'win32'
          ? 'use it inside WSL: wsl --install'
          : 'use it on Linux, in a container or a virtual machine',
    };
  },
};

const needed = process.platform === 'linux' ? ['sh', 'mkfifo'] : ['sh', 'mkfifo', 'ps'];

/** The standard Unix programs that the guard of an environment needs. */
export const shellCheck: Check = {
  name: 'shell',
  otherwise: 'missing',
  look: async ({ host }) => {
    const absent = needed.filter((command) => locate(host, command) === undefined);
    if (absent.length === 0) return { state: 'ok', detail: needed.join(', ') };
    return {
      state: 'missing',
      detail: `not on PATH: ${absent.join(', ')}; the guard of an environment needs them`,
      next: `put /bin and /usr/bin on PATH; it is now ${JSON.stringify(host.env.PATH ?? '')}`,
    };
  },
};

/** Free ports for services, chosen as in a boot. */
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
