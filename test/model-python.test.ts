/** The agent in Python of the guide uses the scripted model, with only environment variables. */
import { expect, test } from 'vitest';
import { fencedBlocks } from './docs/fenced-blocks.ts';
import { needs } from './harness/needs.ts';
import { readProjectFile } from './harness/project-files.ts';
import { performTrials, trialsProject } from './harness/trials-project.ts';

test('the agent of the page is answered, and its requests are observed', async () => {
  needs('python3');
  const blocks = fencedBlocks(readProjectFile('docs/guides/model.md'));
  const at = blocks.findIndex(({ title }) => title === 'agent.py');
  const [program, config] = [blocks[at], blocks[at + 1]];
  const project = trialsProject(
    config?.text ?? '',
    {
      milk: `model: { agent: [{ says: You wanted to buy milk. }] }
steps: [{ http: POST agent/, text: What did I want?, expect: { status: 200, text: You wanted to buy milk. } }]
checks:
  asked: { calls: agent -> model, expect: [{ request: { json: { messages: [{ content: What did I want? }] } } }] }`,
    },
    { 'agent.py': program?.text ?? '' },
  );
  const run = await performTrials(project);
  expect(run.code, run.text).toBe(0);
});
