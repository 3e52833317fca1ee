import { mkdtempSync, rmSync, statSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { type LedgerEntry, openLedger, runningCommands } from './ledger.ts';

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

test('while it is open, its modification time is kept current', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'ledger-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  let later = (): void => undefined;
  const clock: Clock = {
    ...systemClock,
    after: (_ms, callback) => {
      later = callback;
      return () => {
        later = () => undefined;
      };
    },
  };
  const ledger = openLedger(folder, clock);
  utimesSync(ledger.file, 1, 1);
  later();
  expect(Date.now() - statSync(ledger.file).mtimeMs).toBeLessThan(60_000);
  ledger.close();
  utimesSync(ledger.file, 1, 1);
  later();
  expect(statSync(ledger.file).mtimeMs).toBe(1_000);
});
