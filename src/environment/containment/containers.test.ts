import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { removeContainers } from './containers.ts';
import type { LedgerEntry } from './ledger.ts';

const environment = 'k3f9x2m7';
const since = Date.parse('2026-11-15T03:26:55.400Z');
const client = { entry: 'container', name: 'box', since } as const;
const refused = { entry: 'container-ended', name: 'box', since, at: since + 2_000, code: 125 } as const;
const finished = { ...refused, code: 0 };

/** What is removed, and what is named, of one container: its name, time, status and labels. */
async function fateOf(
  [name, time, status, labels]: readonly [string, string, string, string],
  entries: readonly LedgerEntry[],
  ended: readonly string[] = [],
) {
  const folder = mkdtempSync(path.join(tmpdir(), 'containers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const asked = path.join(folder, 'asked');
  const row = `0a1b2c\\t${name}\\timg\\t2026-11-15 ${time} +0000 UTC\\t${status}\\t${labels}\\n`;
  const engine = `echo "$*" >>${asked}\ncase $1 in ps) printf '${row}' ;; inspect) exit 1 ;; esac`;
  writeFileSync(path.join(folder, 'docker'), `#!/bin/sh\n${engine}\n`, { mode: 0o755 });
  writeFileSync(asked, '');
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  const { left, doubtful } = await removeContainers({ clock: systemClock, environment, entries, ended });
  expect(left).toEqual([]);
  const calls = readFileSync(asked, 'utf8').split('\n');
  return { removed: calls.filter((call) => call.startsWith('rm')), doubtful };
}

const removal = ['rm --force --volumes 0a1b2c'];
const line = 'container box of image img; remove it: docker rm --force 0a1b2c';

test('the id of the environment in its name or a label makes it ours, whoever made it', async () => {
  const inName = [`box-${environment}`, '03:26:56', 'Up 3 seconds', ''] as const;
  const inLabel = ['box', '03:26:56', 'Exited (0) 3 seconds ago', `a=b,of=${environment}`] as const;
  const ours = { removed: removal, doubtful: [] };
  expect(await fateOf(inName, [{ entry: 'container', since }])).toEqual(ours);
  expect(await fateOf(inLabel, [client, refused])).toEqual(ours);
  expect(await fateOf(inName, [], ['/bin/docker run img'])).toEqual(ours);
  expect(await fateOf(inName, [], ['node docker.mjs'])).toEqual({ removed: [], doubtful: [] });
});

test.each([
  ['its client runs, or was killed', '03:26:56', 'Up 3 seconds', [client], true],
  ['started again', '03:26:56', 'Up 3 seconds', [{ ...client, since: since - 9_000 }, client, refused], true],
  ['a second for the clock of the engine', '03:26:55', 'Up 3 seconds', [client], true],
  ['older than its client', '03:26:54', 'Up 3 seconds', [client], false],
  ['younger than its client', '03:26:59', 'Up 3 seconds', [client, finished], false],
  ['its client has ended', '03:26:57', 'Exited (0) 3 seconds ago', [client, finished], true],
  ['refused', '03:26:56', 'Up 3 seconds', [client, refused], false],
  ['made, but could not be started', '03:26:56', 'Created', [client, refused], true],
  ['its program ended with 125 itself', '03:26:56', 'Exited (125) 3 seconds ago', [client, refused], true],
  ['of another name', '03:26:56', 'Up 3 seconds', [{ ...client, name: 'bo' }], false],
])('with a name that anybody may use it stays, and is named if it may be ours: %s', async (...row) => {
  const [, time, status, entries, isNamed] = row;
  expect(await fateOf(['box', time, status, 'a=b'], entries)).toEqual({
    removed: [],
    doubtful: isNamed ? [line] : [],
  });
});
