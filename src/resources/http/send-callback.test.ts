import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../kernel/clock.ts';
import { sendCallback } from './send-callback.ts';

test('what HTTP cannot carry is an outcome, and no timer is left that would fire into nothing', async () => {
  let waiting = 0;
  const clock: Clock = {
    ...systemClock,
    after: (ms, work) => {
      waiting += 1;
      const cancel = systemClock.after(ms, work);
      return () => {
        waiting -= 1;
        cancel();
      };
    },
  };
  const url = new URL('http://127.0.0.1:1/');
  const call = { url, method: 'POST', headers: { 'bad name': 'x' }, body: '' };
  const outcome = await sendCallback(call, clock, new AbortController().signal);
  expect(outcome).toEqual({ failed: expect.stringContaining('bad name') });
  expect(waiting).toBe(0);
});
