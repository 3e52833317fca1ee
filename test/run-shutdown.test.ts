/** A service that dies because a client disconnects fails the trial of that client, and no other. */
import { expect, test } from 'vitest';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const talk = `settle: 300ms
steps:
  - { tcp: line, codec: newline-json, as: line-of-ours, expect: { received: [{ hello: 1 }] } }
  - { on: line-of-ours, send: { hi: 1 }, as: said }
checks:
  still-open: { exchange: said, expect: { closedBy: { $absent: true } } }`;

test.each(['shared', 'fresh'])(
  'a service that ends when a client leaves fails the trial of that client, %s',
  async (isolation) => {
    const project = trialsProject(
      `services:
  line: { run: [node, services/dies-of-goodbyes.mjs], listen: { env: PORT, scheme: tcp } }
  web: { run: [node, services/answers.mjs], listen: { env: PORT } }`,
      { a: talk, b: 'steps: [{ http: GET web/, expect: { status: 200 } }]' },
    );
    const { code, text, verdicts, trial } = await performTrials(
      project,
      '--parallel',
      '1',
      '--isolation',
      isolation,
    );
    expect(code, text).toBe(1);
    expect(verdicts).toEqual({ a: 'failed', b: 'passed' });
    expect(trial('a').cause).toEqual({ kind: 'death', text: 'service line ended by itself, with 9' });
  },
);
