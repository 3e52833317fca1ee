/** Asks `ps` about processes, where there is no `/proc`. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { observerLimits } from '../observer-limits.ts';
import { descendants, type ProcessFamilies } from './process-family.ts';

const run = promisify(execFile);

interface Listed {
  readonly parent: number;
  readonly rss: number;
  readonly state: string;
  /** Where one word ends and the next begins, `ps` does not say. */
  readonly argv: readonly string[];
}

export function psFamilies(): ProcessFamilies {
  return {
    of: async (pid, signal) => {
      const options = { signal, timeout: observerLimits.statementMs, maxBuffer: 64 * 1024 * 1024 };
      const { stdout } = await run('ps', ['-axww', '-o', 'pid=,ppid=,rss=,stat=,args='], options);
      const all = readListing(stdout);
      const one = all.get(pid);
      if (!one || one.state.startsWith('Z')) return undefined;
      const parents = new Map([...all].map(([child, { parent }]) => [child, parent]));
      const younger = descendants(parents, pid).flatMap((child) => all.get(child) ?? []);
      return {
        rss: younger.reduce((sum, { rss }) => sum + rss, one.rss),
        fds: null,
        children: younger.slice(0, observerLimits.children).map(({ argv }) => ({ argv })),
      };
    },
  };
}

function readListing(listing: string): ReadonlyMap<number, Listed> {
  const lines = listing.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/gm);
  return new Map(
    [...lines].map(([, pid, parent, kilobytes, state = '', args = '']) => [
      Number(pid),
      { parent: Number(parent), rss: Number(kilobytes) * 1024, state, argv: args.trim().split(/\s+/) },
    ]),
  );
}
