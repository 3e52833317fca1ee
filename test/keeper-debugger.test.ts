/** Whoever can send a signal to the keeper, or set a variable of Node's, gets neither a debugger nor what it would print. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { needs } from './harness/needs.ts';
import { makeProject } from './harness/project.ts';

test.each(['namespace', 'ledger'] as const)(
  'SIGUSR1 opens no debugger in the keeper, nor NODE_DEBUG its variables (%s)',
  async (containment) => {
    needs('linux');
    const project = makeProject({
      'shakedown.yaml': `
name: signals
secrets: [KEY]
services:
  api:
    run: [sh, -c, 'kill -USR1 $PPID; exec node services/answers.mjs']
    env: { KEY: "\${env.KEY}" }
    listen: { env: PORT }
    ready: { http: / }
`,
    });
    const env = { KEY: 'a-very-secret-value', NODE_DEBUG: 'child_process' };
    const up = await project.run(['up', '--containment', containment, '--', 'true'], { env });
    expect(up.code, up.output).toBe(0);
    const said = readFileSync(path.join(project.folder, '.shakedown/latest/keeper.log'), 'utf8');
    expect(said).not.toContain('Debugger listening');
    expect(said).not.toContain('a-very-secret-value');
  },
);
