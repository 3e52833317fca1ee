/** Asks `ps` about processes, where there is no `/proc`. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { observerLimits } from '../observer-limits.ts';
import { descendants, type ProcessFamilies } from './process-family.ts';

const run = promisify(execFile);

interface Listed {
  readonly pid: number;
  readonly parent: number;
  readonly rss: number;
  /** `ps` does not say where one word ends and the next begins. */
  readonly argv: readonly string[];
}

export function psFamilies(): ProcessFamilies {
  return {
    of: async (pid, signal) => {
      const options = { signal, timeout: observerLimits.statementMs, maxBuffer: 64 * 1024 * 1024 };
      const { stdout } = await run('ps', ['-axww', '-o', 'pid=,ppid=,rss=,stat=,args='], options);
      const all = readListing(stdout);
      const one = all.get(pid);
      if (!one) return undefined;
      const parents = new Map([...all].map(([child, { parent }]) => [child, parent]));
      const pids = descendants(parents, pid);
      const younger = pids.flatMap((child) => all.get(child) ?? []);
      return {
        rss: younger.reduce((sum, { rss }) => sum + rss, one.rss),
        fds: null,
        pids,
        children: younger.slice(0, observerLimits.children).map(({ pid, argv }) => ({ pid, argv })),
      };
    },
  };
}

/** Without zombies: what has ended has nothing to show. */
function readListing(listing: string): ReadonlyMap<number, Listed> {
  const lines = listing.matchAll(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+[^\sZ]\S*\s+(.*)$/gm);
  return new Map(
    [...lines].map(([, pid, parent, kilobytes, args = '']) => [
      Number(pid),
      {
        pid: Number(pid),
        parent: Number(parent),
        rss: Number(kilobytes) * 1024,
        argv: args.trim().split(/\s+/),
      },
    ]),
  );
}
