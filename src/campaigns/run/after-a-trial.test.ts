import { expect, test } from 'vitest';
import { listenAfterTrials } from './after-a-trial.ts';

const node = { seq: 0, at: 0, kind: 'service', name: 'api' } as const;
const exited = { ...node, type: 'node.exited', code: 1, signal: null, expected: false } as const;
const lateErrors = async () => [];

test('a death is reported with the trial before, unless an attempt records it', async () => {
  const reported: string[] = [];
  const after = listenAfterTrials(({ where, what }) => reported.push(`${where}: ${what}`));
  const hear = after.hears(() => undefined);
  const dies = (name: string): void => hear({ ...exited, name });
  dies('early');
  after.recording('one', true);
  dies('recorded');
  after.recording('one', false);
  dies('closing');
  after.begin({ trial: 'one', lateErrors });
  dies('idle');
  await after.drain();
  dies('renewed');
  // An attempt that could not be opened has recorded nothing.
  after.begin({ trial: 'two', lateErrors });
  await after.drain();
  dies('last');
  const ended = (name: string): string => `service ${name} ended by itself (exit code 1)`;
  expect(reported).toEqual([
    `before the first trial: ${ended('early')} before a trial began`,
    ...['closing', 'idle', 'renewed'].map((name) => `after one: ${ended(name)} after the trial had ended`),
    `after two: ${ended('last')} after the trial had ended`,
  ]);
});

test('only a service that was ready and was not asked to end dies', () => {
  const reported: string[] = [];
  let deaths = 0;
  const hear = listenAfterTrials(({ what }) => reported.push(what)).hears(() => {
    deaths += 1;
  });
  hear({ ...exited, expected: true });
  hear({ ...node, type: 'node.starting' });
  hear(exited); // its port was taken
  expect({ deaths, reported }).toEqual({ deaths: 0, reported: [] });
  hear({ ...node, type: 'node.ready' });
  hear(exited);
  expect({ deaths, reported }).toEqual({ deaths: 1, reported: [expect.stringContaining('service api')] });
});
