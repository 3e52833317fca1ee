/** When files were touched last: by which commit, or not committed yet. */
import type { Git } from './git.ts';

export interface Touched {
  /** Absolute path to the newest commit that changed it. */
  readonly by: ReadonlyMap<string, Touch>;
  /** Changed or new, and not committed. */
  readonly uncommitted: ReadonlySet<string>;
}

export interface Touch {
  readonly commit: string;
  /** `2026-02-11` */
  readonly day: string;
}

const atOnce = 400;

export async function lastTouched(git: Git, files: readonly string[]): Promise<Touched> {
  const byName = new Map(files.map((file) => [git.known(file), file]));
  const by = new Map<string, Touch>();
  const uncommitted = new Set<string>();
  const names = [...byName.keys()];
  for (let from = 0; from < names.length; from += atOnce) {
    const paths = names.slice(from, from + atOnce).map((name) => `:(top,literal)${name}`);
    const log = await git.ask('log', '--format=%x01%H %cs', '--name-only', '-z', '--', ...paths);
    for (const [name, touch] of newestFirst(log)) {
      const file = byName.get(name);
      if (file !== undefined && !by.has(file)) by.set(file, touch);
    }
    const status = await git.ask('status', '--porcelain', '-z', '--untracked-files=all', '--', ...paths);
    for (const name of namesIn(status)) {
      const file = byName.get(name);
      if (file !== undefined) uncommitted.add(file);
    }
  }
  return { by, uncommitted };
}

function* newestFirst(log: string): Iterable<readonly [name: string, touch: Touch]> {
  for (const entry of log.split('\u0001').slice(1)) {
    const [head = '', ...names] = entry.split('\0');
    const [commit = '', day = ''] = head.trim().split(' ');
    for (const name of names) {
      const trimmed = name.replace(/^\n+/, '');
      if (trimmed !== '') yield [trimmed, { commit, day }];
    }
  }
}

/** `XY name`, and for what was renamed the old name after it. */
function namesIn(status: string): readonly string[] {
  return status
    .split('\0')
    .flatMap((entry) => (/^.. /.test(entry) ? [entry.slice(3)] : entry === '' ? [] : [entry]));
}
