/** Opens a file in the browser of the user. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { findBinary } from '../../environment/processes/find-binary.ts';
import { orElse } from '../../kernel/or-else.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Call } from '../call/verb.ts';

/** A browser may stay in the foreground of its opener: after this time it is taken to be open. */
const openedAfterMs = 3_000;

export async function openFile({ clock, cwd, env }: Call, file: string): Promise<void> {
  const opener = process.platform === 'darwin' ? 'open' : 'xdg-open';
  const binary = orElse(() => findBinary(opener, env.PATH ?? '', cwd, opener), undefined);
  if (binary === undefined) throw notOpened(file, `there is no \`${opener}\` on this machine`);
  const child = spawn(binary, [file], { detached: true, stdio: 'ignore' });
  child.unref();
  const ended = once(child, 'exit').then(
    ([code]) => (code === 0 ? undefined : `\`${opener}\` ended with ${code}`),
    (error: unknown) => String(error),
  );
  const what = await Promise.race([ended, clock.sleep(openedAfterMs)]);
  if (typeof what === 'string') throw notOpened(file, what);
}

function notOpened(file: string, what: string): Problem {
  return new Problem({
    code: 'world.missing-binary',
    where: 'shakedown report --open',
    what: `the report is written, but was not opened: ${what}`,
    allowed: 'a machine with a browser, and `xdg-open` (macOS: `open`)',
    next: `open it yourself: ${file}`,
  });
}
