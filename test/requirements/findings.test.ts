/** Problems between requirements and trials are reported before anything runs, in `lint`, `coverage` and gates. */
import { describe, expect, test } from 'vitest';
import { performTrials, trialsProject, unfolded } from '../harness/trials-project.ts';
import { coverageOf, held, kindsOf, shop, shopProject, write } from './harness.ts';

test('unknown and duplicate ids, orphans, expired deferrals, lost sources', async () => {
  const requirements = `- { id: A-1, text: One., source: "spec.md#one" }
- { id: A-2, text: Two., source: "spec.md:Nowhere" }
- { id: A-3, text: Three., deferred: { reason: not yet, until: 2020-01-31 } }
- { id: A-4, text: Four. }
`;
  const project = shopProject(
    requirements,
    { a: `tags: [x]\ncovers: [A-1, A-12, A-1, A-2]\n${held}` },
    { 'spec.md': '# One\n\nIt is one.\n' },
  );
  const expected = [
    'covered-twice A-1',
    'expired-deferral A-3',
    'lost-source A-2',
    'orphaned A-4',
    'unknown-requirement A-12',
  ];
  const shown = await coverageOf(project);
  expect(kindsOf(shown.findings).filter((kind) => kind !== 'nothing-executed')).toEqual(expected);
  expect(shown.findings.find(({ kind }) => kind === 'unknown-requirement')).toMatchObject({
    file: 'trials/a.trial.yaml',
    line: 3,
    trial: 'a',
  });
  const { code, output } = await project.run(['lint']);
  expect(code, output).toBe(6);
  expect(unfolded(output)).toContain(
    'trials/a.trial.yaml:3 unknown-requirement a: it covers "A-12", and there is no such requirement',
  );
  expect(unfolded(output)).toContain('did you mean `A-1`?');
  expect(unfolded(output)).toContain(
    'requirements.yaml:2 lost-source A-2 was taken from spec.md, which has no section “Nowhere”',
  );
  const json = JSON.parse((await project.run(['lint', '--json'])).stdout);
  expect(json.findings.map(({ kind }: { kind: string }) => kind).sort()).toEqual(
    expected.map((kind) => kind.split(' ')[0]),
  );
});

test('a required fail path is shown by expectations, not by words; for flows after they have run', async () => {
  const requirements = `- { id: A-1, text: Junk is refused., failPath: true, priority: p0 }
- { id: A-2, text: Junk is refused here, failPath: true, priority: p0 }
- { id: A-3, text: Junk is refused in a flow., failPath: true, priority: p0 }
- { id: A-4, text: Nothing is refused in a flow., failPath: true, priority: p0 }
`;
  const project = shopProject(
    requirements,
    {
      'is-rejected': `title: it is refused with an error\ncovers: [A-1]\n${held.replace('as: page', 'as: refused')}`,
      absent: `covers: [A-2]\n${held}\nchecks: { silent: { logs: web, match: nonsense, count: 0, provenBy: talks } }`,
      talks: `steps: [{ http: 'GET web/print?line=nonsense', expect: { status: 200 } }]\nchecks: { said: { logs: web, match: nonsense, count: 1 } }`,
    },
    {
      'trials/flows.flow.ts': `import { flow } from 'shakedown';
flow('refuses', { id: 'flow-refuses', covers: ['A-3'] }, async ({ http, command, check }) => {
  check('page', await http('web').get('/a'), { status: 200 });
  check('refused', await command(['false']), { exitCode: 1 });
});
flow('accepts', { id: 'flow-accepts', covers: ['A-4'] }, async ({ http, check }) => {
  check('rejected', await http('web').get('/a'), { status: 200 });
});
`,
    },
  );
  const lint = await project.run(['lint']);
  expect(lint.code, lint.output).toBe(6);
  expect(unfolded(lint.output)).toContain(
    'a fail path is demanded of A-1, and nothing in is-rejected expects a refusal',
  );
  expect(lint.output.match(/no-fail-path/g)).toHaveLength(1);

  const run = await performTrials(project, '--gate', 'pr');
  expect(run.code, run.text).toBe(6);
  expect(run.trial('absent').refusals).toEqual(['check silent']);
  expect(run.trial('flow-refuses').refusals).toEqual(['check refused']);
  expect(run.trial('is-rejected')).not.toHaveProperty('refusals');
  const shown = await coverageOf(project);
  expect(kindsOf(shown.findings)).toEqual(['no-fail-path A-1', 'no-fail-path A-4']);
});

describe('files of requirements', () => {
  const trials = { a: `priority: p0\n${held}` };

  test('a config without any: `coverage` says what to do, everything else works as before', async () => {
    const project = trialsProject(shop, trials);
    for (const words of [['coverage'], ['run', '--gate', 'pr']]) {
      const none = await project.run(words);
      expect(none.code, none.output).toBe(2);
      expect(none.output).toContain('this system declares none');
    }
    write(project, {
      'shakedown.yaml': `name: example\ntrials: "trials/**"\nrequirements: [nowhere/*.md]\n${shop}\n`,
    });
    const glob = await project.run(['coverage']);
    expect(glob.code).toBe(2);
    expect(glob.output).toContain('`requirements` has "nowhere/*.md", which finds no file');
    write(project, {
      'shakedown.yaml': `name: example\ntrials: "trials/**"\nrequirements: nowhere.md\n${shop}\n`,
    });
    expect((await project.run(['run', '--list'])).output).toContain('error[requirement.unreadable]');
    write(project, {
      'shakedown.yaml': `name: example\ntrials: "trials/**"\nrequirements: a.trial.json\n${shop}\n`,
    });
    expect((await project.run(['lint'])).output).toContain('files that end with .yaml, .yml or .md');
  });

  test('several, of both kinds; a duplicate id and an invalid file are reported before anything runs', async () => {
    const project = shopProject('- { id: A-1, text: One. }\n', { a: `covers: [A-1, B-1]\n${held}` });
    const config = `name: example\ntrials: "trials/**"\nrequirements: [requirements.yaml, "docs/*.md"]\n${shop}\n`;
    write(project, {
      'shakedown.yaml': config,
      'docs/b.md': '## P1\n\n| ID | Text | Owner |\n|---|---|---|\n| B-1 | Two. | ann |\n',
    });
    const shown = await coverageOf(project);
    expect(shown.counts).toMatchObject({ total: 2, 'not-executed': 2 });
    expect(shown.notes).toEqual(['docs/b.md:3: the column “Owner” is not used']);
    write(project, { 'docs/c.md': '| ID | Text |\n|---|---|\n| A-1 | Again. |\n' });
    const twice = await project.run(['run']);
    expect(twice.code).toBe(6);
    expect(twice.output).toContain('error[requirement.duplicate-id]');
    expect(twice.output).toContain('the id A-1 is taken by requirements.yaml:1');
    write(project, { 'docs/c.md': '| ID | Text |\n|---|---|\n| | Nobody. |\n' });
    const broken = await project.run(['coverage']);
    expect(broken.code).toBe(2);
    expect(broken.output).toMatch(/docs\/c\.md:3:1\n.*\n.*\| \| Nobody\. \|/);
  });
});
