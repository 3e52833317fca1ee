import { expect, test } from 'vitest';
import { type LedgerEntry, runningCommands } from './ledger.ts';

const started = (pid: number, startedAt = 'then'): LedgerEntry => ({
  entry: 'command',
  process: { pid, startedAt },
});
const ended = (pid: number): LedgerEntry => ({ entry: 'command-ended', pid });

test('commands run until each of them has ended, in whatever order', () => {
  expect(runningCommands([])).toEqual([]);
  expect(runningCommands([started(1), started(2), ended(1)])).toEqual([{ pid: 2, startedAt: 'then' }]);
  expect(runningCommands([started(1), started(2), ended(2), ended(1)])).toEqual([]);
});

test('a number that is used again is another command', () => {
  expect(runningCommands([started(1), ended(1), started(1, 'later')])).toEqual([
    { pid: 1, startedAt: 'later' },
  ]);
});
