import { expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { inTurn, isReady, type Look, notReady, sparingly } from './look.ts';

const { signal } = new AbortController();

/** A look whose answer the test decides, and that counts how often it was asked. */
function decided(saw: string) {
  const state = { ready: false, asked: 0 };
  const look: Look = async () => {
    state.asked += 1;
    return state.ready ? isReady : notReady(saw);
  };
  return { state, look };
}

test('a healthcheck is not started before the port is open', async () => {
  const port = decided('ECONNREFUSED');
  const health = decided('no response');
  const look = inTurn(port.look, health.look);
  expect(await look(signal)).toEqual(notReady('ECONNREFUSED'));
  expect(health.state.asked).toBe(0);
  port.state.ready = true;
  expect(await look(signal)).toEqual(notReady('no response'));
  health.state.ready = true;
  expect(await look(signal)).toEqual(isReady);
});

test('a healthcheck is asked rarely without a sign, and at once with one', async () => {
  let time = 0;
  const sign = decided('ECONNREFUSED');
  const health = decided('not yet');
  const look = sparingly(sign.look, health.look, { ...systemClock, monotonic: () => time });
  const askedAt: number[] = [];
  for (; time <= 8_000; time += 100) {
    const before = health.state.asked;
    await look(signal);
    if (health.state.asked > before) askedAt.push(time);
  }
  expect(askedAt).toEqual([1_000, 2_000, 4_000, 6_000, 8_000]);
  sign.state.ready = true;
  await look(signal);
  expect(health.state.asked).toBe(6);
});

test('without any port that is seen, a healthcheck that succeeds is enough', async () => {
  let time = 0;
  const health = decided('not yet');
  const look = sparingly(decided('ECONNREFUSED').look, health.look, {
    ...systemClock,
    monotonic: () => time,
  });
  health.state.ready = true;
  expect(await look(signal)).toEqual(notReady('ECONNREFUSED'));
  time = 1_000;
  expect(await look(signal)).toEqual(isReady);
});
