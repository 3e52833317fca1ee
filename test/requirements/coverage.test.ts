/** `coverage` reads executed results: every state, on every backend, with its evidence; and the run agrees. */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { performTrials, trialsProject, unfolded } from '../harness/trials-project.ts';
import { nothing } from '../harness/until.ts';
import { coverageOf, failing, held, kindsOf, shop, shopProject, write } from './harness.ts';

const requirements = `requirements:
  - { id: A-1, title: Answers, text: It answers., priority: P0 }
  - { id: A-2, text: It fails., priority: p0 }
  - { id: A-3, text: It is skipped., priority: p1 }
  - { id: A-4, text: It is not performed., priority: p1 }
  - { id: A-5, text: Nobody covers it., priority: p2 }
  - { id: A-6, text: It waits for a failure., priority: p2, dependsOn: [A-2] }
  - { id: A-7, text: It is deferred., priority: p0, deferred: { reason: no time } }
  - { id: A-8, text: It is deferred and green., deferred: { reason: forgotten } }
  - { id: A-9, text: It landed., dependsOn: [A-1] }
`;
const trials = {
  good: `covers: [A-1, A-8]\ncases: { one: {}, two: {} }\n${held}`,
  bad: `covers: [A-2]\n${failing}`,
  needy: `covers: [A-3]\nneeds: [{ env: NOT_SET_ANYWHERE }]\n${held}`,
  idle: `covers: [A-4]\ntags: [slow]\n${held}`,
};

test('every state, with evidence; the verdict of the run and judging it again agree', async () => {
  const project = shopProject(requirements, trials);
  const none = await coverageOf(project);
  expect(none.counts).toMatchObject({ total: 9, 'not-executed': 4, pending: 2 });
  expect(kindsOf(none.findings)).toEqual(['nothing-executed', 'orphaned A-5']);

  const run = await performTrials(project, 'good', 'bad', 'needy');
  expect(run.code, run.text).toBe(1);
  const states = {
    'A-1': 'covered',
    'A-2': 'failed',
    'A-3': 'skipped',
    'A-4': 'not-executed',
    'A-5': 'orphaned',
    'A-6': 'pending',
    'A-7': 'deferred',
    'A-8': 'deferred',
    'A-9': 'orphaned',
  };
  const stored = run.verdict.requirements;
  expect(Object.fromEntries(stored.map(({ id, state }) => [id, state]))).toEqual(states);
  expect(stored[0]).toEqual({
    id: 'A-1',
    priority: 'p0',
    state: 'covered',
    trials: ['good[one]', 'good[two]'],
  });
  const judged = await project.run(['judge', '--json']);
  expect(JSON.parse(judged.stdout).requirements).toEqual(stored);

  const shown = await coverageOf(project);
  expect(Object.fromEntries(shown.requirements.map(({ id, state }) => [id, state]))).toEqual(states);
  expect(shown.exitCode).toBe(6);
  expect(kindsOf(shown.findings)).toEqual([
    'failed A-2',
    'orphaned A-5',
    'orphaned A-9',
    'stale-deferral A-8',
  ]);
  expect(shown.priorities.p0).toEqual({ total: 3, covered: 1, failed: 1, deferred: 1 });
  expect(shown.requirements.find(({ id }) => id === 'A-6')?.waitsFor).toEqual(['A-2']);
  const evidence = shown.requirements[0]?.cells[0]?.evidence ?? [];
  expect(evidence.map(({ trial, verdict }) => [trial, verdict])).toEqual([
    ['good[one]', 'passed'],
    ['good[two]', 'passed'],
  ]);
  for (const { folder } of evidence)
    expect(existsSync(path.join(project.folder, folder ?? '', 'events.ndjson'))).toBe(true);

  const { code, stdout } = await project.run(['coverage']);
  expect(code).toBe(6);
  expect(stdout).toContain('p0   default  ●✗·  1 failed, 1 covered, 1 deferred');
  expect(stdout).toMatch(
    /● A-1 {2}p0 {2}Answers\n\s+good\[one\] and 1 more of its cases passed {2}\.shakedown\/runs\//,
  );
  expect(unfolded(stdout)).toContain('requirements.yaml:6 no trial covers A-5, and it is not deferred');
  expect(unfolded(stdout)).toContain(
    'A-8 is deferred (forgotten), and good[one], good[two] cover it and are green remove `deferred`',
  );
  expect(stdout).toContain('Exit code 6, the suite does not prove what it says: 4 findings');
  expect(project.left()).toEqual(nothing);
});

test('a trial that changed since the run is not evidence; a missing one is named', async () => {
  const project = shopProject('- { id: A-1, text: It answers., priority: p0 }\n', {
    good: `covers: [A-1]\n${held}`,
    gone: `covers: [A-1]\n${held}`,
  });
  await performTrials(project);
  write(project, {
    'trials/good.trial.yaml': `id: good\ntitle: Another\ntags: [x]\ncovers: [A-1]\n${held}\n`,
  });
  expect(await coverageOf(project)).toMatchObject({ exitCode: 0, counts: { covered: 1 } });

  rmSync(path.join(project.folder, 'trials/gone.trial.yaml'));
  write(project, {
    'trials/good.trial.yaml': `id: good\ncovers: [A-1]\n${held.replace('200', '{ $gte: 100 }')}\n`,
  });
  const shown = await coverageOf(project);
  expect(shown).toMatchObject({ exitCode: 6, counts: { unknown: 1 } });
  expect(shown.requirements[0]?.cells[0]?.evidence[0]).toMatchObject({
    trial: 'good',
    because: 'changed since the run',
  });
  expect(shown.notes.join('\n')).toContain('gone is no longer in the suite');
});

test('gates require what they name, in `coverage` and in `run`, and no more', async () => {
  const gated = `- { id: A-1, text: It answers., priority: p0 }
- { id: A-2, text: It is not performed., priority: p1 }
- { id: A-3, text: Later., priority: p0, deferred: { reason: no time } }
- { id: A-4, text: Nobody., priority: p2 }
`;
  const project = shopProject(gated, { good: `covers: [A-1]\n${held}`, idle: `covers: [A-2]\n${held}` });
  // No trial has a priority of its own: the gate picks by what they cover.
  const pr = await performTrials(project, '--gate', 'pr');
  expect(pr.code, pr.text).toBe(0);
  expect(pr.verdicts).toEqual({ good: 'passed' });
  expect(await coverageOf(project, '--gate', 'pr')).toMatchObject({
    exitCode: 0,
    warnings: [{ kind: 'orphaned' }],
  });
  expect(kindsOf((await coverageOf(project, '--gate', 'nightly')).findings)).toContain('not-covered A-2');
  expect(kindsOf((await coverageOf(project, '--gate', 'strict')).findings)).toEqual(['not-covered A-3']);

  const strict = await performTrials(project, '--gate', 'strict', 'good');
  expect(strict.code, strict.text).toBe(6);
  expect(strict.text).toContain(
    'the gate strict requires every p0 requirement to be covered, but A-3 is deferred',
  );
  const again = await project.run(['judge', '--json']);
  expect(JSON.parse(again.stdout)).toMatchObject({ exitCode: 6, reasons: strict.verdict.reasons });

  const unknown = await project.run(['coverage', '--gate', 'prr']);
  expect(unknown.code).toBe(2);
  expect(unknown.output).toContain('did you mean `--gate pr`?');
});

test('the built-in gates require requirements where there are some; a gate without `requirements` what it performs', async () => {
  const plain = shop.slice(0, shop.indexOf('gates:'));
  const gates =
    'gates:\n  fast: { priority: [p0] }\n  some: { tags: [x] }\n  odd: { requirements: { covered: [p7] } }';
  const own = {
    good: `covers: [A-1]\n${held}`,
    needy: `covers: [A-2]\nneeds: [{ env: NOT_SET_ANYWHERE }]\n${held}`,
  };
  const project = trialsProject(`${plain}${gates}`, own, {
    'requirements.yaml': `- { id: A-1, text: One., priority: p0 }
- { id: A-2, text: Two., priority: p0 }
- { id: A-3, text: Three., priority: p1, dependsOn: [A-2] }
`,
  });
  const run = await performTrials(project, '--gate', 'pr');
  expect(run.code, run.text).toBe(6);
  expect(run.text).toContain('the gate pr requires every p0 requirement to be covered, but A-2 is skipped');
  const kinds = async (gate: string): Promise<readonly string[]> =>
    kindsOf((await coverageOf(project, '--gate', gate)).findings);
  expect(await kinds('pr')).toEqual(['not-covered A-2']);
  expect(await kinds('weekly')).toEqual(['not-covered A-2', 'not-covered A-3']);
  const fast = await coverageOf(project, '--gate', 'fast');
  expect(kindsOf(fast.findings)).toEqual(['not-covered A-2']);
  expect(fast.notes.join()).toContain(
    'the gate fast has no `requirements`: those of p0 must have been shown',
  );
  expect(await kinds('some')).toEqual([]);
  const odd = await coverageOf(project, '--gate', 'odd');
  expect(odd.notes.join()).toContain(
    'the gate odd requires every p7 requirement to be covered, but there is none',
  );
  const shown = await performTrials(project, '--gate', 'odd', 'good');
  expect(shown.text).toContain('the gate odd requires every p7 requirement to be covered, but there is none');
  for (const verb of ['coverage', 'run']) {
    const { code, output } = await project.run([verb, '--gate', 'constructor']);
    expect(code, output).toBe(2);
    expect(output).toContain('there is no gate "constructor"');
  }
});

test('runs of several backends are shown side by side, shards together; the weakest backend decides', async () => {
  const matrix = shop.replace('services:', 'matrix: { store: [memory, disk] }\nservices:');
  const project = trialsProject(
    matrix,
    { one: `covers: [A-1]\n${held}`, two: `covers: [A-2]\n${held}` },
    {
      'requirements.yaml':
        '- { id: A-1, text: One., priority: p0 }\n- { id: A-2, text: Two., priority: p0 }\n',
    },
  );
  const shard = await performTrials(project, '--gate', 'strict', '--shard', '1/2');
  expect(shard.code, shard.text).toBe(0); // only all parts together can show what the gate requires
  await performTrials(project, '--gate', 'strict', '--shard', '2/2');
  await performTrials(project, '--variant', 'store=disk', 'one');
  const runs = readdirSync(path.join(project.folder, '.shakedown/runs')).sort();
  expect(await coverageOf(project, ...runs.slice(0, 2), '--gate', 'strict')).toMatchObject({
    exitCode: 0,
    backends: ['store=memory'],
    counts: { covered: 2 },
  });
  const all = await coverageOf(project, ...runs);
  expect(all.backends).toEqual(['store=disk', 'store=memory']);
  expect(all.requirements.map(({ state, cells }) => [state, ...cells.map((cell) => cell.state)])).toEqual([
    ['covered', 'covered', 'covered'],
    ['not-executed', 'not-executed', 'covered'],
  ]);

  const html = path.join(project.folder, 'coverage.html');
  expect((await project.run(['coverage', ...runs, '--html', 'coverage.html'])).code).toBe(0);
  const page = readFileSync(html, 'utf8');
  expect(page).toContain('<th>store=disk</th><th>store=memory</th>');
  expect(page).not.toMatch(/<script|src=|https?:\/\/(?!www\.w3\.org)/);
  const [, href = ''] = /href="(\.shakedown[^"]*trials\/one)"/.exec(page) ?? [];
  expect(existsSync(path.join(project.folder, decodeURIComponent(href), 'events.ndjson'))).toBe(true);

  const folder = path.join(project.folder, '.shakedown/runs', runs[2] ?? '');
  writeFileSync(path.join(folder, 'verdict.json'), '{"schemaVersion": 1, "tri');
  const torn = await project.run(['coverage']);
  expect(torn.code).toBe(2);
  expect(torn.output).toContain('there is no verdict to show');
  rmSync(path.join(folder, 'verdict.json'));
  expect((await coverageOf(project)).notes.join()).toContain(
    'did not finish; what it recorded was judged now',
  );
});
