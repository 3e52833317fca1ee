import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { endProcesses } from './end-processes.ts';
import { openProcessTable, type ProcessIdentity } from './process-table.ts';

const table = openProcessTable();
/** A number that no process has. */
const ended: ProcessIdentity = { pid: 4_194_305, startedAt: '1' };

test('processes that end during the search may have started others: the search repeats until none is found', async () => {
  const child = spawn('sleep', ['600']);
  const living = table.identify(child.pid as number) as ProcessIdentity;
  const exited = once(child, 'exit');
  let looks = 0;
  const find = (): readonly ProcessIdentity[] => {
    looks += 1;
    if (looks < 5) return [ended];
    return table.isAlive(living) ? [living] : [];
  };
  expect(await endProcesses(table, systemClock, 5_000, find)).toEqual([]);
  expect(await exited).toEqual([null, 'SIGKILL']);
});

test('processes that are gone when time is up are not reported as left', async () => {
  let looks = 0;
  const find = (): readonly ProcessIdentity[] => {
    looks += 1;
    return looks < 3 ? [ended] : [];
  };
  expect(await endProcesses(table, systemClock, 0, find)).toEqual([]);
});

test('a chain of processes that cannot be stopped is reported when time is up', async () => {
  expect(await endProcesses(table, systemClock, 100, () => [ended])).toEqual([ended]);
});
