/** Which commands say nothing of a system. */
import { expect, test } from 'vitest';
import { ownWords } from './plain-tools.ts';

test.each([
  { command: ['true'] },
  { command: ['sh', '-c', 'true'] },
  { command: 'test -n "$URL" && echo fine', env: { URL: 'http://127.0.0.1:8000' } },
  { command: 'cat lists/wanted.txt' },
  { command: ['grep', '-c', 'rose', 'lists/wanted.txt'] },
  { command: "printf 'a\\nb\\n' | wc -l" },
  { command: 'sh -c "echo one; echo two > /dev/null"' },
])('%j is of the test alone', (spec) => {
  expect(ownWords(spec)).toBeDefined();
});

test.each([
  { command: ['catalogue', '--help'] },
  { command: 'catalogue list | grep rose' },
  { command: 'echo $(catalogue list)' },
  { command: 'test -f "$DATA/ready"', env: { DATA: '/srv/data' } },
  { command: 'test -f "$HOME/ready"' },
  { command: ['cat', '/srv/data/ready'] },
  { command: 'cat ../out/list.txt' },
  { command: 'cat list.txt', cwd: '${config.dir}' },
  { command: 'grep -q fine < /srv/data/log' },
  { command: 'curl -s http://127.0.0.1:8000/ || true' },
])('%j may say something of a system', (spec) => {
  expect(ownWords(spec)).toBeUndefined();
});
