/** The exact words of a model in a check: a warning with a script, a finding where the model may be a real one. */
import { expect, test } from 'vitest';
import { lintJson, lintProject } from './harness/lint-project.ts';

const resources = `  agent: { run: [node, services/asks-a-model.mjs], listen: { env: PORT }, env: { MODEL: "\${model.url}" } }
resources:
  model: { kind: model, because: a real one costs money }
`;
const words = 'I have looked at your notes, and there are three of them for today.';

const trial = (id: string, expected: string, more = '') => `id: ${id}
${more}
model: { agent: [{ says: "${words}" }] }
steps:
  - { http: GET agent/, as: answer }
checks:
  said:
    exchange: answer
    expect: { status: 200, json: { text: ${expected} } }
`;

test('exact text is reported, structure is not', async () => {
  const { code, shown, findings } = await lintJson(
    lintProject(
      {
        'trials/exact.trial.yaml': trial('exact', `"${words}"`),
        'trials/live.trial.yaml': trial('live', `{ $eq: "${words}" }`, 'live: { attempts: 3 }'),
        'trials/shape.trial.yaml': trial('shape', '{ $regex: "three" }', 'live: { attempts: 3 }'),
        'trials/parts.trial.yaml': trial('parts', `{ $contains: "${words}" }`),
        'trials/short.trial.yaml': trial('short', 'Pong.').replace(words, 'Pong.'),
      },
      resources,
    ),
  );
  expect(code).toBe(6);
  expect(shown).toEqual([
    'exact-model-text trials/exact.trial.yaml:7',
    'exact-model-text trials/live.trial.yaml:7',
  ]);
  expect(findings.map(({ level, check }) => [level, check])).toEqual([
    ['warning', 'said'],
    ['finding', 'said'],
  ]);
});

test('a warning alone leaves the exit code at 0', async () => {
  const project = lintProject({ 'trials/exact.trial.yaml': trial('exact', `"${words}"`) }, resources);
  const { code, stdout } = await project.run(['lint']);
  expect(code).toBe(0);
  expect(stdout).toContain(
    '1 warning\n  trials/exact.trial.yaml:7  exact-model-text  exact, said: it expects, word for word',
  );
});

test('a line that asks for a key that no request has is an error, at the key', async () => {
  const bad = trial('bad', '{ $regex: "three" }').replace(
    '[{ says',
    '[{ when: { $any: [{ txt: hello }, { turn: 0 }] }, expect: { msgs: { $absent: true }, json: { n: 1 } }, says',
  );
  const made = lintProject({ 'trials/bad.trial.yaml': bad }, resources);
  const { code, stderr } = await made.run(['lint']);
  expect(code).toBe(2);
  expect(stderr).toContain('`txt` is not a key of a request');
  expect(stderr).toContain('did you mean `text`?');
  expect(stderr).toMatch(/bad\.trial\.yaml:3:77\n[\s\S]*`msgs` is not a key of a request/);
  expect(stderr).not.toContain('`n`');
});
