/** The catalogue of high-risk trials: complete entries, at registered boundaries, shown by existing trials. */
import { expect, test } from 'vitest';
import { lintJson, lintProject, soundTrial } from './harness/lint-project.ts';

const registry = `boundaries:
  - id: gateway-sse
    sources: [src/*.ts]
    bounded: the schema
    unbounded: timing
    invalid: it is refused
    valid: it is taken
    layer: trials
    owner: team a
    tiers: { 1: missing, 2: missing }
`;

const entry = (id: string, more = '') => `  - id: ${id}
    userAction: asks with stream=true
    boundary: gateway-sse
    risk: the agent waits for ever
    evidence: one call, one answer
    owner: team a
    trials: [web]
${more}`;

function catalogue(risks: string) {
  return lintProject(
    {
      'src/a.ts': '',
      'shakedown/boundaries.yaml': registry,
      'shakedown/high-risk.yaml': `risks:\n${risks}`,
      'trials/web.trial.yaml': soundTrial('web'),
    },
    'boundaries: shakedown/boundaries.yaml\ncatalogue: shakedown/high-risk.yaml\n',
  );
}

test('complete entries have no findings', async () => {
  expect(await lintJson(catalogue(entry('streaming')))).toMatchObject({ code: 0, findings: [] });
});

test('gaps, unknown boundaries and trials, duplicates, and risks without a trial', async () => {
  const risks = `${entry('streaming')}${entry('streaming')}
  - id: lonely
    userAction: restarts the service
    boundary: [gateway-sse, gateway-see]
    risk: "?"
    evidence: a session row
    owner:
  - id: elsewhere
    userAction: asks
    boundary: gateway-sse
    risk: silence
    evidence: an answer
    owner: team a
    trials: [wbe]
`;
  const { code, findings } = await lintJson(catalogue(risks));
  expect(code).toBe(6);
  expect(findings.map(({ kind, line, text }) => `${line} ${kind}: ${text}`)).toEqual([
    '9 duplicate-risk: the entry `streaming` occurs twice',
    '17 risk-without-trial: the entry `lonely` has no `trials`',
    '19 unknown-boundary: the entry `lonely` is about the boundary `gateway-see`, which is not registered',
    '20 incomplete-risk: the entry `lonely` has no `risk`',
    '22 incomplete-risk: the entry `lonely` has no `owner`',
    '29 unknown-trial: the entry `elsewhere` names "wbe", but the suite has no such trial',
  ]);
  expect(findings.at(-1)?.next).toBe('did you mean `web`?');
});
