/** The registry of boundaries is enforced: every file of a boundary folder, complete entries, no excessive claims. */
import { expect, test } from 'vitest';
import { lintJson, lintProject, soundTrial } from './harness/lint-project.ts';

const whole = (id: string, sources: string, more = '') => `  - id: ${id}
    sources: [${sources}]
    bounded: the schema
    unbounded: timing
    invalid: it is refused
    valid: it is taken
    layer: trials
    owner: team a
    ${more}
`;

const sources = {
  'src/adapters/telegram.ts': '',
  'src/adapters/matrix.ts': '',
  'src/adapters/matrix.test.ts': '',
};
const config = 'boundaries: shakedown/boundaries.yaml\n';
const registry = (text: string) => ({ 'shakedown/boundaries.yaml': text });

test('a correct registry has no findings', async () => {
  const project = lintProject(
    {
      ...sources,
      ...registry(
        `folders: [src/adapters]\nexcept: ["**/*.test.ts"]\nboundaries:\n${whole('channels', '"src/adapters/*.ts"', 'tiers: { 1: covered, 2: partial }\n    trials: ["web/*", "tag:smoke", "covers:CH-1"]')}`,
      ),
      'trials/bad.trial.yaml': soundTrial(
        'web/bad',
        'attacks: { boundary: channels, tier: 1 }\ntags: [smoke]',
      ),
      'trials/good.trial.yaml': soundTrial(
        'web/good',
        'attacks: [{ boundary: channels, tier: 2 }]\ncovers: [CH-1]',
      ),
    },
    config,
  );
  expect(await lintJson(project)).toMatchObject({ code: 0, findings: [] });
});

test('a new file in a boundary folder, and globs that match nothing', async () => {
  const project = lintProject(
    {
      ...sources,
      ...registry(
        `folders:\n  - src/adapters\n  - src/channels/**\nexcept: ["**/*.test.ts"]\nboundaries:\n${whole('matrix', 'src/adapters/matrix.ts, src/gone/*.ts', 'tiers: { 1: missing, 2: missing }')}`,
      ),
      'trials/web.trial.yaml': soundTrial('web'),
    },
    config,
  );
  const { code, shown, findings } = await lintJson(project);
  expect(code).toBe(6);
  expect(shown).toEqual([
    'empty-glob shakedown/boundaries.yaml:3',
    'empty-glob shakedown/boundaries.yaml:7',
    'unregistered-boundary src/adapters/telegram.ts:1',
  ]);
  expect(findings[2]?.next).toContain('shakedown/boundaries.yaml');
});

test('claims beyond the trials, gaps, duplicates and unknown names', async () => {
  const project = lintProject(
    {
      ...sources,
      ...registry(`boundaries:
${whole('channels', '"src/adapters/*.ts"', 'tiers: { 1: covered, 2: covered }\n    trials: [web/bda]')}
${whole('channels', '"src/adapters/*.ts"', 'tiers: { 1: missing, 2: missing }')}
  - id: bare
    owner: TBD
`),
      'trials/bad.trial.yaml': soundTrial('web/bad', 'attacks: { boundary: chanels, tier: 1 }'),
      'trials/known.trial.yaml': soundTrial(
        'web/known',
        'attacks: { boundary: channels, tier: 2 }\nexpectedFailure: { because: not yet }',
      ),
    },
    config,
  );
  const { code, findings } = await lintJson(project);
  expect(code).toBe(6);
  const texts = findings.map(({ kind, text }) => `${kind}: ${text}`);
  expect(texts).toContainEqual(
    'overclaimed-tier: tier 1 of `channels` is declared covered, but no trial says `attacks: { boundary: channels, tier: 1 }`',
  );
  expect(texts).toContainEqual(
    'overclaimed-tier: tier 2 of `channels` is declared covered, but those that attack it are expected to fail, or check nothing: web/known',
  );
  expect(texts).toContainEqual('duplicate-boundary: the boundary `channels` is already defined in line 2');
  expect(texts).toContainEqual(
    'unknown-trial: the boundary `channels` names "web/bda", but the suite has no such trial',
  );
  expect(findings.find(({ kind }) => kind === 'unknown-trial')?.next).toBe('did you mean `web/bad`?');
  expect(findings.find(({ kind }) => kind === 'unknown-boundary')).toMatchObject({
    trial: 'web/bad',
    line: 2,
    next: 'did you mean `channels`?',
  });
  const gaps = findings.filter(({ kind, text }) => kind === 'incomplete-boundary' && text.includes('`bare`'));
  expect(gaps.map(({ text }) => text.split('`')[3])).toEqual([
    ...['bounded', 'unbounded', 'invalid', 'valid', 'layer', 'sources', 'tiers.1', 'tiers.2', 'owner'],
  ]);
});

test('a status that is too modest is a warning', async () => {
  const project = lintProject(
    {
      ...sources,
      ...registry(
        `boundaries:\n${whole('channels', '"src/adapters/*.ts"', 'tiers: { 1: missing, 2: missing }')}`,
      ),
      'trials/bad.trial.yaml': soundTrial('web/bad', 'attacks: { boundary: channels, tier: 1 }'),
    },
    config,
  );
  const { code, shown } = await lintJson(project);
  expect({ code, shown }).toEqual({ code: 0, shown: ['underclaimed-tier shakedown/boundaries.yaml:10'] });
});

test('trials that attack a boundary without any registry', async () => {
  const project = lintProject({
    'trials/bad.trial.yaml': soundTrial('web/bad', 'attacks: { boundary: channels, tier: 1 }'),
  });
  expect((await lintJson(project)).shown).toEqual(['unknown-boundary trials/bad.trial.yaml:2']);
});

test('a missing or malformed registry is a config error', async () => {
  const absent = await lintProject({}, config).run(['lint']);
  expect(absent.code).toBe(2);
  expect(absent.stderr).toMatch(/error\[config\.not-found\].*boundaries\.yaml/);
  const broken = await lintProject(
    registry('boundaries:\n  - id: a\n    ownr: me\n    tiers: { 1: done }\n'),
    config,
  ).run(['lint']);
  expect(broken.code).toBe(2);
  expect(broken.stderr).toMatch(/config\.unknown-key\] .*boundaries\.yaml:3:5[\s\S]*did you mean `owner`/);
  expect(broken.stderr).toMatch(
    /config\.bad-value\] .*boundaries\.yaml:4:17[\s\S]*missing, partial, covered/,
  );
});
