/** Node and the kind of machine. A Node that is too old never gets here: the binary refuses it. */
import type { Check } from './check.ts';

const supported: readonly NodeJS.Platform[] = ['linux', 'darwin'];

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
