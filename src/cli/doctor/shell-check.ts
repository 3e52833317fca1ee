/** The programs of every Unix without which no environment can be guarded. */

import { locate } from './ask-program.ts';
import type { Check } from './check.ts';

const needed = process.platform === 'linux' ? ['sh', 'mkfifo'] : ['sh', 'mkfifo', 'ps'];

export const shellCheck: Check = {
  name: 'shell',
  otherwise: 'missing',
  look: async ({ call }) => {
    const absent = needed.filter((command) => locate(call, command) === undefined);
    if (absent.length === 0) return { state: 'ok', detail: needed.join(', ') };
    return {
      state: 'missing',
      detail: `not on PATH: ${absent.join(', ')}; the guard of an environment is made of them`,
      next: `put /bin and /usr/bin on PATH; it is ${JSON.stringify(call.env.PATH ?? '')} now`,
    };
  },
};
