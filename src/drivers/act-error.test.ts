import { expect, test } from 'vitest';
import { socketError } from './act-error.ts';

test('a local shortage of resources is not blamed on the peer', () => {
  const error = Object.assign(new Error('connect EMFILE 127.0.0.1:80'), { code: 'EMFILE' });
  expect(socketError(error, 'web')).toEqual({
    kind: 'not-started',
    message: expect.stringMatching(/\(EMFILE\); .*ulimit -n/),
  });
  const memory = Object.assign(new Error('connect ENOMEM'), { code: 'ENOMEM' });
  expect(socketError(memory, 'web')?.message).toBe('no connection to web can be opened (ENOMEM)');
});
