/** A process that a shell of the service has left running is a descendant of the service, whoever its parent is now. */
import { expect, test } from 'vitest';
import { needs } from './harness/needs.ts';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const agent = `import { spawnSync } from 'node:child_process';
import { createServer } from 'node:http';
createServer(({ url }, answer) => {
  if (url !== '/') spawnSync('sh', ['-c', url === '/session' ? 'setsid sleep 600 &' : 'sleep 600 &'], { stdio: 'ignore' });
  answer.writeHead(204).end();
}).listen(process.env.PORT, '127.0.0.1');
`;

test('what outlives the shell that started it is among the children, also in a session of its own', async () => {
  needs('setsid');
  const project = trialsProject(
    'services: { agent: { run: [node, agent.mjs], listen: { env: PORT } } }',
    Object.fromEntries(
      ['nothing', 'group', 'session'].map((name) => [
        name,
        `steps: [{ http: GET agent/${name === 'nothing' ? '' : name}, expect: { status: 204 } }]
checks: { no-process-left: { process: agent, expect: { running: true, children: [] } } }`,
      ]),
    ),
    { 'agent.mjs': agent },
  );
  const { code, text, verdicts } = await performTrials(project);
  expect([code, verdicts], text).toEqual([1, { group: 'failed', nothing: 'passed', session: 'failed' }]);
  expect(text).toContain('argv: ["sleep", "600"]');
});
