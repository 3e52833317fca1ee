import { expect, test } from 'vitest';
import { cutMark } from '../../kernel/cut-mark.ts';
import { readCommand, withoutWords } from './resp-command.ts';

test.each([
  'AUTH ada hunter2',
  'HELLO 3 AUTH ada hunter2',
  'ACL SETUSER ada >hunter2',
  'CONFIG SET requirepass hunter2',
  'CONFIG SET maxmemory 1 tls-key-file-pass hunter2',
  'CONFIG SET tls-client-key-file-pass hunter2',
  'MIGRATE h 6379 k 0 1000 AUTH2 ada hunter2',
  'SENTINEL SET main auth-pass hunter2',
  'SENTINEL CONFIG SET sentinel-pass hunter2',
])('credentials are not kept: %s', (line) => {
  const command = readCommand(line.split(' '));
  expect(command).toMatchObject({ isSecret: true });
  expect(JSON.stringify(command)).not.toContain('hunter2');
});

test('a server that does not know a command repeats its words', () => {
  // As version 5 answers to HELLO.
  const message = 'ERR unknown command `HELLO`, with args beginning with: `3`, `AUTH`, `ada`, `hunter2`, ';
  expect(withoutWords(message)).toBe(`ERR unknown command \`HELLO\`, with args beginning with: ${cutMark}`);
});

test.each([
  ['LMPOP 2 a b LEFT', 'a'],
  ['ZUNION 1 z', 'z'],
  ['BLMPOP 0 1 l LEFT', 'l'],
  ['EVAL return 1 k', 'k'],
  ['FUNCTION LIST', ''],
  ['XREAD STREAMS block 0', 'block'],
])('the key of %s', (line, key) => {
  expect(readCommand(line.split(' '))).toMatchObject({ path: key, isWaiting: line.startsWith('BL') });
});
