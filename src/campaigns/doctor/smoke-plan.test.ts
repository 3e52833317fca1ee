import { expect, test } from 'vitest';
import type { Trial } from '../../trials/trial.ts';
import { type PastTrial, planSmoke } from './smoke-plan.ts';

interface Written {
  /** `http web` */
  readonly steps: readonly string[];
  readonly smoke?: true;
  readonly attempts?: number;
  readonly disturbed?: true;
  readonly mute?: true;
  readonly flow?: true;
}

function trial(id: string, { steps, smoke, attempts = 1, disturbed, mute, flow }: Written): Trial {
  const written = steps.map((text) => {
    const [driver, to] = text.split(' ');
    return { driver, ...(to === undefined ? {} : { to }), ...(mute ? {} : { expect: 1 }) };
  });
  return {
    record: {
      id,
      kind: flow ? 'flow' : 'yaml',
      tags: smoke ? ['smoke'] : [],
      steps: flow ? [] : written,
      checks: [],
    },
    steps: written.map(({ driver }) => ({ kind: driver })),
    attempts,
    disturbs: disturbed ? [{}] : [],
  } as unknown as Trial;
}

function plan(
  written: Readonly<Record<string, Written>>,
  past: Readonly<Record<string, PastTrial>> = {},
  blocked: readonly string[] = [],
): Readonly<Record<string, string>> {
  const visits = planSmoke({
    trials: Object.entries(written).map(([id, one]) => trial(id, one)),
    past: new Map(Object.entries(past)),
    obstacleOf: ({ record }) =>
      blocked.includes(record.id) ? { why: 'needs a key', command: `run ${record.id}` } : undefined,
  });
  return Object.fromEntries(
    visits.map(({ path, trial: id, obstacle }) => [path, obstacle ? `not ${id}` : id]),
  );
}

test('each driver with each service is an entry point; actions on services are not', () => {
  expect(
    plan({
      a: { steps: ['http web', 'restart web', 'quiet'] },
      b: { steps: ['tcp web', 'on'] },
      c: { steps: ['command'] },
      d: { steps: [], flow: true },
    }),
  ).toEqual({ command: 'c', flow: 'd', 'http web': 'a', 'tcp web': 'b' });
});

test('marked trials come first, then passing ones, then the shortest; one without checks is the last resort', () => {
  const way = { steps: ['http web'] };
  const held = (attemptMs: number): PastTrial => ({ hasPassed: true, attemptMs });
  expect(plan({ a: way, b: { ...way, smoke: true } }, { a: held(1), b: held(900) })).toEqual({
    'http web': 'b',
  });
  expect(plan({ a: way, b: way }, { a: held(50), b: held(20) })).toEqual({ 'http web': 'b' });
  expect(plan({ a: way, b: way }, { a: { hasPassed: false, attemptMs: 1 } })).toEqual({ 'http web': 'b' });
  expect(plan({ a: { ...way, disturbed: true }, b: { ...way, attempts: 1 } })).toEqual({ 'http web': 'b' });
  expect(plan({ a: { ...way, attempts: 5 }, b: way })).toEqual({ 'http web': 'b' });
  expect(plan({ a: { ...way, mute: true }, b: way })).toEqual({ 'http web': 'b' });
});

test('a trial that is performed anyway covers other entry points, too, but does not replace a marked one', () => {
  const both = { steps: ['http web', 'tcp web'] };
  expect(plan({ a: both, b: { steps: ['http web'] } })).toEqual({ 'http web': 'a', 'tcp web': 'a' });
  expect(plan({ a: both, b: { steps: ['http web'], smoke: true } })).toEqual({
    'http web': 'b',
    'tcp web': 'a',
  });
});

test('an entry point that may not be used is shown with its best trial; another trial is taken if there is one', () => {
  const way = { steps: ['http web'] };
  expect(plan({ a: way, b: { ...way, smoke: true } }, {}, ['a', 'b'])).toEqual({ 'http web': 'not b' });
  expect(plan({ a: way, b: { ...way, smoke: true } }, {}, ['b'])).toEqual({ 'http web': 'a' });
  expect(plan({})).toEqual({});
});
