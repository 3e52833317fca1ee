import { execFileSync } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { needs } from '../../test/harness/needs.ts';
import { makeTemporaryFolder } from '../../test/harness/temporary-folder.ts';
import { createRedactor } from '../journal/redaction.ts';
import { redactLogs } from './redact-logs.ts';

test('a log that can neither be rewritten nor get a notice on a full disk is emptied without an error', async () => {
  needs('linux', 'root');
  const disk = makeTemporaryFolder('disk');
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', disk.path]);
  mkdirSync(path.join(disk.path, 'services'));
  const log = path.join(disk.path, 'services/web.log');
  // A process that still has it open keeps its space in use.
  const descriptor = openSync(log, 'w');
  onTestFinished(() => {
    closeSync(descriptor);
    execFileSync('umount', ['--lazy', disk.path]);
    disk.remove();
  });
  for (let at = 0; at < 16; at += 1) writeSync(descriptor, 'sk-very-secret-12345\n'.padEnd(4096, 'x'));
  expect(() => writeSync(descriptor, 'more')).toThrow('ENOSPC');
  await redactLogs(disk.path, createRedactor({ KEY: 'sk-very-secret-12345' }));
  expect(readFileSync(log, 'utf8')).toBe('');
});
