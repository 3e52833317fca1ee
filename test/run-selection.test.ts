/** Words, tags, gates and shards select the trials of a run, and an empty selection is reported. */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Project } from './harness/project.ts';
import { performTrials, trialsProject, unfolded } from './harness/trials-project.ts';
import { nothing } from './harness/until.ts';

const config = `isolation: shared
services:
  web: { run: [node, services/answers.mjs], listen: { env: PORT } }
gates:
  pr: { priority: [p0], skips: forbid }
  fast: { tags: [quick], priority: [p0, p1] }`;

const step = 'steps: [{ http: GET web/, as: page, expect: { status: 200 } }]';
const failing = 'steps: [{ http: GET web/, expect: { status: 404 } }]';

function project(): Project {
  return trialsProject(config, {
    shop: `priority: p0\ntags: [quick]\n${step}`,
    'shop/cart': `priority: p0\ntags: [quick, money]\n${step}`,
    'shop/pay': `priority: p1\ntags: [quick, money]\n${step}`,
    'shop/pay-later': `priority: p2\ntags: [money]\n${step}`,
    'desk/junk': `cases: { short: { text: a }, long: { text: b } }\n${step}`,
    'desk/needy': `priority: p0\nneeds: [{ env: NOT_SET_ANYWHERE }]\n${step}`,
    'desk/silent': `${step}\nchecks: { none: { logs: web, match: nonsense, count: 0, provenBy: desk/talks } }`,
    'desk/talks': `${step}\nchecks: { some: { logs: web, match: listening, count: 0, provenBy: shop/pay-later } }`,
  });
}

const everything = [
  'desk/junk[long]',
  'desk/junk[short]',
  'desk/needy',
  'desk/silent',
  'desk/talks',
  'shop',
  'shop/cart',
  'shop/pay',
  'shop/pay-later',
];

interface Listed {
  readonly declared: number;
  readonly selected: number;
  readonly trials: ReadonlyArray<{
    readonly id: string;
    readonly asTwin?: true;
    readonly skipReason?: string;
  }>;
}

async function list(made: Project, ...args: readonly string[]): Promise<Listed> {
  const { code, stdout, output } = await made.run(['run', '--list', '--json', ...args]);
  expect(code, output).toBe(0);
  return JSON.parse(stdout) as Listed;
}

/** Without twins that are only included. */
async function chosen(made: Project, ...args: readonly string[]): Promise<readonly string[]> {
  const { trials } = await list(made, ...args);
  return trials
    .filter(({ asTwin }) => !asTwin)
    .map(({ id }) => id)
    .sort();
}

test('words, tags, gates and shards narrow each other, and include the twins of absences', async () => {
  const made = project();
  const meant: ReadonlyArray<readonly [args: readonly string[], ids: readonly string[]]> = [
    [
      ['shop', 'desk/junk'],
      ['desk/junk[long]', 'desk/junk[short]', 'shop'],
    ],
    [
      ['trials/shop', '--tag', 'quick,money'],
      ['shop/cart', 'shop/pay'],
    ],
    [
      ['--gate', 'fast', '--tag', 'money', 'shop/*'],
      ['shop/cart', 'shop/pay'],
    ],
  ];
  for (const [args, ids] of meant) expect(await chosen(made, ...args), args.join(' ')).toEqual(ids);
  const parts = [await list(made, '--shard', '1/2'), await list(made, '--shard', '2/2')];
  const own = parts.flatMap(({ trials }) => trials.filter(({ asTwin }) => !asTwin).map(({ id }) => id));
  expect(own.sort()).toEqual(everything);
  const { trials } = await list(made, 'desk/silent');
  expect(trials.map(({ id, asTwin }) => [id, asTwin ?? false])).toEqual([
    ['desk/silent', false],
    ['desk/talks', true],
    ['shop/pay-later', true],
  ]);
});

test('pr, nightly and weekly are built-in gates, unless the config declares its own', async () => {
  const made = trialsProject(
    config.slice(0, config.indexOf('gates:')),
    Object.fromEntries(['p0', 'p1', 'p2'].map((priority) => [priority, `priority: ${priority}\n${step}`])),
  );
  const chosen = async (gate: string): Promise<string> =>
    Object.keys((await performTrials(made, '--gate', gate)).verdicts).join(' ');
  expect(await chosen('pr')).toBe('p0');
  expect(await chosen('nightly')).toBe('p0 p1');
  expect(await chosen('weekly')).toBe('p0 p1 p2');
});

test('a gate brings its policy on skips; without one a skip is allowed', async () => {
  const made = project();
  const gated = await performTrials(made, '--gate', 'pr', 'shop/', 'desk');
  expect(gated.code, gated.text).toBe(6);
  expect(gated.verdicts).toEqual({ 'desk/needy': 'skipped', 'shop/cart': 'passed' });
  expect(gated.text).toContain('desk/needy was skipped (needs the environment variable NOT_SET_ANYWHERE)');
  const allowed = await performTrials(made, 'shop/cart', 'desk/needy');
  expect(allowed.code, allowed.text).toBe(0);
  expect(allowed.verdict.counts).toMatchObject({ declared: 9, selected: 2, executed: 1, skipped: 1 });
});

describe('--list', () => {
  test('shows which trials would run, runs nothing and leaves nothing', async () => {
    const made = project();
    const { code, stdout } = await made.run(['run', '--list', 'desk/needy', 'desk/silent']);
    expect(code).toBe(0);
    expect(stdout).toContain('skipped: needs the environment variable NOT_SET_ANYWHERE');
    expect(stdout).toMatch(/desk\/talks\s+shared, included as a twin\s+trials\/desk\/talks\.trial\.yaml:1/);
    expect(stdout).toContain('4 of 9 trials');
    expect(await list(made, 'desk/needy')).toMatchObject({
      declared: 9,
      selected: 1,
      trials: [{ id: 'desk/needy', file: 'trials/desk/needy.trial.yaml', line: 1, checks: [] }],
    });
    expect(existsSync(path.join(made.folder, '.shakedown'))).toBe(false);
    expect(made.left()).toEqual(nothing);
  });
});

describe('--last-failed', () => {
  test('selects trials that did not pass in the latest run, and nothing after a run in which all passed', async () => {
    const made = trialsProject(config, { good: step, bad: failing, worse: failing });
    expect((await performTrials(made)).verdicts).toEqual({ good: 'passed', bad: 'failed', worse: 'failed' });
    expect(await chosen(made, '--last-failed')).toEqual(['bad', 'worse']);
    expect(await chosen(made, '--last-failed', 'worse')).toEqual(['worse']);
    expect((await performTrials(made, 'good')).code).toBe(0);
    const none = await made.run(['run', '--last-failed']);
    expect(none.code).toBe(6);
    expect(none.stderr).toContain('none of 3 trials is selected by those that failed last');
  });
});

describe('a selection of nothing', () => {
  test('is an error that lists the choices, and leaves nothing', async () => {
    const made = project();
    const wrong: ReadonlyArray<readonly [args: readonly string[], code: number, shown: string]> = [
      [['--gate', 'pr', '--tag', 'slow'], 6, 'none of 9 trials is selected by the tags slow, the gate'],
      [['shop/pya'], 2, 'did you mean `shop/pay`?'],
      [['--gate', 'rp'], 2, 'did you mean `--gate pr`?'],
      [['--tag', 'slow,'], 2, '"slow," has an empty value'],
      [['--shard', '4/3'], 2, 'I/N with I from 1 to N'],
      [['--repeat', '0'], 2, 'a whole number from 1 to 10000'],
      [['--isolation', 'total'], 2, 'fresh, restart, shared'],
    ];
    for (const [args, code, shown] of wrong) {
      const result = await made.run(['run', ...args]);
      expect(result.code, result.output).toBe(code);
      expect(unfolded(result.stderr)).toContain(shown);
    }
    expect(existsSync(path.join(made.folder, '.shakedown'))).toBe(false);
  });

  test('a system without trials has nothing to show', async () => {
    const result = await trialsProject(config, {}).run(['run']);
    expect(result.code).toBe(6);
    expect(result.stderr).toContain('the system has no trial');
  });
});
