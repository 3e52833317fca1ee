/** Room, and the right to write, where a run writes. */
import { access, constants, stat, statfs } from 'node:fs/promises';
import { formatSize } from '../../kernel/size.ts';
import type { Check } from './check.ts';

/** A database and the logs of a small system fit into it. */
const enoughBytes = 256 * 1024 ** 2;

export interface DiskPlace {
  readonly name: string;
  readonly folder: string;
  readonly next: string;
}

export function diskCheck({ name, folder, next }: DiskPlace): Check {
  return {
    name,
    otherwise: 'missing',
    byHand: `df -h ${folder}`,
    look: async () => {
      const obstacle = await access(folder, constants.W_OK).then(
        () => undefined,
        (error: Error) => error.message,
      );
      if (obstacle) return { state: 'missing', detail: `nothing can be written: ${obstacle}`, next };
      const { bavail, bsize } = await statfs(folder);
      const isOpen = ((await stat(folder)).mode & 0o1002) === 0o002;
      const doubt = isOpen ? `; anybody may replace what is yours in it: chmod +t ${folder}` : '';
      const free = `${formatSize(bavail * bsize)} free in ${folder}${doubt}`;
      if (bavail * bsize >= enoughBytes) return { state: 'ok', detail: free };
      return { state: 'missing', detail: `${free}; ${formatSize(enoughBytes)} are needed`, next };
    },
  };
}
