import { cpSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeProject } from './harness/project.ts';

test('one more folder in the roster is one more service, with nothing else changed', async () => {
  const project = makeProject({
    'shakedown.yaml': `name: crew
services:
  front:
    run: [node, services/answers.mjs]
    listen: { env: PORT }
    env: { ALL: "\${crew.*.url}" }
    after: [crew]
rosters:
  crew:
    each: roster/*/member.toml
    name: \${it.member.name}
    service:
      run: [node, services/answers.mjs]
      listen: { env: PORT }
      env: { NAME: "\${it.member.greeting} (\${it.folder})" }
`,
    'roster/ann/member.toml': '[member]\nname = "ann"\ngreeting = "Ann here"\n',
    'roster/bob/member.toml': '[member]\nname = "bob"\ngreeting = "Bob here"\n',
  });
  const who =
    'fetch(process.env.SHAKEDOWN_FRONT_URL + "/env").then((r) => r.json()).then(async ({ ALL }) => { for (const one of ALL.split(",")) console.log(one.split("=")[0], await (await fetch(one.split("=")[1])).text()); })';
  const two = await project.run(['up', '--', 'node', '-e', who]);
  expect(two.code, two.output).toBe(0);
  expect(two.stdout).toContain(
    `ann hello from Ann here (${project.folder}/roster/ann)\nbob hello from Bob here (${project.folder}/roster/bob)`,
  );
  cpSync(path.join(project.folder, 'roster/bob'), path.join(project.folder, 'roster/cyd'), {
    recursive: true,
  });
  const clash = await project.run(['lint']);
  expect(clash.code).toBe(2);
  expect(clash.stderr).toContain('error[config.duplicate-name]');
});
