/** A trial may stop, start, restart and kill a service; its addresses stay, and its end does not count as a failure. */
import path from 'node:path';
import { expect, test } from 'vitest';
import type { JournalEvent } from '../src/journal/event.ts';
import { readJournal } from '../src/journal/reader.ts';
import { type HeldEnvironment, holdEnvironment } from './harness/held-environments.ts';
import { makeProject, type Project } from './harness/project.ts';
import { trialsProject } from './harness/trials-project.ts';

function pair(): Project {
  return makeProject({
    'shakedown.yaml': `name: pair
services:
  front: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { PEER: "\${back.url}" }, ready: { http: / }, after: [backs] }
rosters:
  backs:
    each: backs/*.json
    name: "\${it.name}"
    service: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { NAME: "\${it.name}" }, ready: { http: / } }
`,
    'backs/back.json': '{ "name": "back" }',
  });
}

async function nodeEvents({ runFolder }: HeldEnvironment, name: string): Promise<readonly JournalEvent[]> {
  const { events } = await readJournal(path.join(runFolder, 'events.ndjson'));
  const ready = events.findIndex(({ type }) => type === 'environment.ready');
  return events
    .slice(ready)
    .filter((event) => event.type.startsWith('node.') && 'name' in event && event.name === name);
}

test('restart: a new process at the same address, ready when the step ends', async () => {
  const environment = await holdEnvironment(pair());
  const { keeper, urlOf } = environment;
  const url = await urlOf('back');
  const edges = (await keeper.ask('status', {})).edges;
  const before = (await keeper.ask('facts', {})).services.find(({ name }) => name === 'back');
  const acted = await keeper.ask('service', { name: 'back', do: 'restart' });
  expect(acted).toMatchObject({ wasRunning: true, pid: expect.any(Number) });
  expect(acted.pid).not.toBe(before?.pid);
  expect((await keeper.ask('status', {})).edges).toEqual(edges);
  expect(await (await fetch(url)).text()).toBe('hello from back');
  expect(await (await fetch(`${await urlOf('front')}/peer`)).text()).toBe('peer: hello from back');
  expect((await keeper.ask('facts', {})).services).toMatchObject([
    { name: 'front', starts: 1 },
    { name: 'back', starts: 2, pid: acted.pid },
  ]);
  expect((await nodeEvents(environment, 'back')).map(({ type }) => type)).toEqual([
    'node.exited',
    'node.stopped',
    'node.starting',
    'node.started',
    'node.ready',
  ]);
});

test('a service that does not stop in time is killed, and the step reports it', async () => {
  const web = 'run: [node, services/ignores-sigterm.mjs], listen: { env: PORT }, stop: { within: 200ms }';
  const project = trialsProject(`services: { deaf: { ${web} } }`, {
    polite: `steps:
  - { http: GET deaf/, expect: { status: 200 } }
  - { restart: deaf, as: again }
  - { stop: deaf, as: ended, expect: { killed: { $absent: true } } }
checks: { killed: { exchange: again, expect: { did: restart, killed: true } } }`,
  });
  const { code, output } = await project.run(['run']);
  expect(code, output).toBe(1);
  expect(output).toContain('✗ step ended (');
  expect(output).not.toContain('✗ killed');
});

test('kill: the process is gone when the step ends, as expected, and start brings it back', async () => {
  const environment = await holdEnvironment(pair());
  const { keeper, urlOf } = environment;
  expect(await keeper.ask('service', { name: 'back', do: 'kill' })).toMatchObject({
    wasRunning: true,
    pid: null,
  });
  await expect(fetch(await urlOf('back'))).rejects.toThrow('fetch failed');
  expect(await nodeEvents(environment, 'back')).toMatchObject([
    { type: 'node.exited', signal: 'SIGKILL', expected: true },
  ]);
  // Nothing to do is not a failure.
  expect(await keeper.ask('service', { name: 'back', do: 'kill' })).toMatchObject({ wasRunning: false });
  expect(await keeper.ask('service', { name: 'back', do: 'stop' })).toMatchObject({ wasRunning: false });
  const status = await keeper.ask('status', {});
  expect(status).toMatchObject({ state: 'ready', services: [{ name: 'front' }, { state: 'stopped' }] });
  const started = await keeper.ask('service', { name: 'back', do: 'start' });
  expect(started).toMatchObject({ wasRunning: false, pid: expect.any(Number) });
  expect(await keeper.ask('service', { name: 'back', do: 'start' })).toMatchObject({
    wasRunning: true,
    pid: started.pid,
  });
  expect(await (await fetch(await urlOf('back'))).text()).toBe('hello from back');
});

test('an unexpected death is still reported, also after a restart', async () => {
  const environment = await holdEnvironment(pair());
  const { keeper } = environment;
  const { pid } = await keeper.ask('service', { name: 'back', do: 'restart' });
  process.kill(pid as number, 'SIGKILL');
  const failed = await new Promise<JournalEvent>((resolve) => {
    keeper.onEvent((event) => event.type === 'node.failed' && resolve(event));
    void keeper.ask('subscribe', { as: 'test' });
  });
  expect(failed).toMatchObject({ name: 'back', problem: { code: 'system.service-died' } });
  expect(await keeper.ask('status', {})).toMatchObject({ state: 'degraded' });
});

test('an unknown service or action is a problem that lists the choices', async () => {
  const { keeper } = await holdEnvironment(pair());
  await expect(keeper.ask('service', { name: 'bakc', do: 'stop' })).rejects.toMatchObject({
    code: 'config.unknown-name',
    allowed: 'front, back',
  });
  await expect(keeper.ask('service', { name: 'back', do: 'reboot' as 'stop' })).rejects.toMatchObject({
    code: 'usage.bad-request',
    what: expect.stringContaining('one of restart, stop, start, kill'),
  });
});
