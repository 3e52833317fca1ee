/** An attempt is over when all edges are idle, which the keeper reports. */
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { holdEnvironment } from './harness/held-environments.ts';
import { makeProject } from './harness/project.ts';
import { until } from './harness/until.ts';

const system = `name: edges
services:
  front: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { PEER: "\${back.url}" }, ready: { http: / }, after: [back] }
  back: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { NAME: back }, ready: { http: / } }
`;

test('every edge has been idle for as long as asked', async () => {
  const { keeper, urlOf } = await holdEnvironment(makeProject({ 'shakedown.yaml': system }));
  const url = await urlOf('front');
  await keeper.ask('quiet', { settleMs: 1, withinMs: 10_000 });
  await (await fetch(`${url}/peer`)).text();
  expect(await keeper.ask('quiet', { settleMs: 300, withinMs: 10_000 })).toMatchObject({
    quiet: true,
    busy: [],
  });
});

test('an edge that is never idle is reported when time is up', async () => {
  const { keeper, urlOf } = await holdEnvironment(makeProject({ 'shakedown.yaml': system }));
  const { hostname, port } = new URL(await urlOf('back'));
  const talker = connect(Number(port), hostname);
  talker.on('error', () => talker.destroy());
  const talking = setInterval(() => talker.write('GET / HTTP/1.1\r\nhost: back\r\n\r\n'), 20);
  await new Promise((resolve) => talker.once('data', resolve));
  talker.resume();
  const seen = await keeper.ask('quiet', { settleMs: 200, withinMs: 600 });
  expect(seen).toMatchObject({ quiet: false, busy: [{ from: 'outside', to: 'back' }] });
  clearInterval(talking);
  talker.destroy();
  expect(await keeper.ask('quiet', { settleMs: 100, withinMs: 10_000 })).toMatchObject({ quiet: true });
});

test('bytes that a rule holds back prevent quiet', async () => {
  const { keeper, urlOf } = await holdEnvironment(makeProject({ 'shakedown.yaml': system }));
  const url = await urlOf('front');
  await keeper.ask('disturb', { from: 'front', to: 'back', rule: { rule: 'hold' } });
  const answer = fetch(`${url}/peer`).then((response) => response.text());
  const isHeld = ({ busy }: { busy: readonly { from: string }[] }): boolean =>
    busy.some(({ from }) => from === 'front');
  await until('it is held', 10_000, () => keeper.ask('quiet', { settleMs: 0, withinMs: 0 }), isHeld);
  const held = await keeper.ask('quiet', { settleMs: 0, withinMs: 300 });
  expect(held.quiet).toBe(false);
  expect(held.busy).toContainEqual(expect.objectContaining({ from: 'front', to: 'back' }));
  await keeper.ask('disturb', { from: 'front', to: 'back', rule: { rule: 'pass' } });
  expect(await answer).toBe('peer: hello from back');
  expect(await keeper.ask('quiet', { settleMs: 50, withinMs: 10_000 })).toMatchObject({ quiet: true });
});
