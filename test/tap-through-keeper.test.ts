import path from 'node:path';
import { expect, test } from 'vitest';
import { connectKeeper } from '../src/environment/keeper/keeper-client.ts';
import { readJournal } from '../src/journal/reader.ts';
import { systemClock } from '../src/kernel/clock.ts';
import type { Disturbance } from '../src/taps/disturbance.ts';
import { makeProject } from './harness/project.ts';

test('an edge can be refused, and recovers when the rule is lifted; other edges are not affected', async () => {
  const project = makeProject({
    'shakedown.yaml': `name: edges
services:
  front: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { PEER: "\${back.url}" }, after: [back] }
  back: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { NAME: back } }
`,
  });
  expect((await project.run(['up', '--detach'])).code).toBe(0);
  const runFolder = path.join(project.folder, '.shakedown/latest');
  const keeper = await connectKeeper(runFolder, systemClock);
  if (!keeper) throw new Error('no keeper answers');
  const status = await keeper.ask('status', {});
  const url = (name: string): string => status.services.find((service) => service.name === name)?.url ?? '';
  const peer = (): Promise<string> =>
    fetch(`${url('front')}/peer`, { signal: AbortSignal.timeout(5_000) }).then((response) => response.text());
  expect(await peer()).toBe('peer: hello from back');
  const disturb = (rule: Disturbance) => keeper.ask('disturb', { from: 'front', to: 'back', rule });
  await disturb({ rule: 'refuse' });
  expect(await peer()).toBe('no peer: ECONNREFUSED');
  expect(await (await fetch(url('back'))).text()).toBe('hello from back');
  await expect(
    keeper.ask('disturb', { from: 'front', to: 'bakc', rule: { rule: 'pass' } }),
  ).rejects.toMatchObject({
    code: 'config.unknown-name',
  });
  await disturb({ rule: 'pass' });
  expect(await peer()).toBe('peer: hello from back');
  keeper.close();
  await project.run(['down']);
  const { events } = await readJournal(path.join(runFolder, 'events.ndjson'));
  expect(events.filter(({ type }) => type === 'edge.disturbed')).toMatchObject([
    { from: 'front', to: 'back', rule: 'refuse' },
    { from: 'front', to: 'back', rule: 'pass' },
  ]);
});
