import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Writable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { needs } from '../../../test/harness/needs.ts';
import { makeTemporaryFolder } from '../../../test/harness/temporary-folder.ts';
import { until } from '../../../test/harness/until.ts';
import { systemClock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import { guardScript } from './guard-script.ts';

/** A user without any other process on the machine. */
const stranger = 64_112;

test('a guard whose watcher cannot fork for its next check kills the keeper, and ends', async () => {
  needs('linux', 'root');
  const folder = makeTemporaryFolder('guard');
  onTestFinished(folder.remove);
  const run = folder.path;
  chmodSync(run, 0o755);
  chownSync(run, stranger, stranger);
  const node = path.join(run, 'node.sh');
  writeFileSync(node, '#!/bin/sh\nexec sleep 600', { mode: 0o755 });
  const as = { uid: stranger, gid: stranger };
  const guard = spawn('sh', ['-c', guardScript, 'guard', node, 'no-keeper', 'no-sweep', run, `${run}/none`], {
    cwd: run,
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit', 'pipe', 'ignore', 'ignore', 'pipe'],
    ...as,
  });
  const ended = once(guard, 'exit');
  const children = (): readonly string[] =>
    readFileSync(`/proc/${guard.pid}/task/${guard.pid}/children`, 'utf8').split(' ').filter(Boolean);
  const lines = [3, 6].map((descriptor) => guard.stdio[descriptor] as Writable);
  lines[0]?.write('key\n');
  await until('keeper and watcher run', 5_000, children, (pids) => pids.length === 2);
  const pids = children();
  onTestFinished(
    () => void execFileSync('sh', ['-c', `kill -KILL ${guard.pid} ${pids.join(' ')} 2>&-; true`]),
  );
  for (const pid of [guard.pid, ...pids]) execFileSync('prlimit', ['--pid', String(pid), '--nproc=1:1'], as);
  for (const line of lines) line.destroy();
  expect(await within(systemClock, 8_000, ended)).toEqual([0, null]);
});
