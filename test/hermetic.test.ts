import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { makeProject, type Project } from './harness/project.ts';

/** Boots, requests a path from the service, and returns the answer. */
async function ask(project: Project, url: string, env: Record<string, string> = {}): Promise<string> {
  const script = "fetch(process.argv[1]).then((r) => r.text()).then((text) => console.log('ANSWER ' + text))";
  const result = await project.run(['up', '--', 'node', '-e', script, url], { env });
  expect(result.code, result.output).toBe(0);
  return /^ANSWER (.*)$/m.exec(result.stdout)?.[1] ?? '';
}

test('a service sees only what it needs of the user’s environment, and has its own folders', async () => {
  const project = makeProject({
    'shakedown.yaml':
      'name: sealed\nservices: { web: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { GIVEN: "${env.WANTED}" } } }\n',
  });
  const env = JSON.parse(
    await ask(project, '${web.url}/env', { WANTED: 'yes', AWS_SECRET_ACCESS_KEY: 'do-not-see-me' }),
  );
  expect(env.GIVEN).toBe('yes');
  expect(env.AWS_SECRET_ACCESS_KEY).toBeUndefined();
  expect(env.WANTED).toBeUndefined();
  for (const name of [
    'HOME',
    'TMPDIR',
    'XDG_CONFIG_HOME',
    'XDG_CACHE_HOME',
    'XDG_DATA_HOME',
    'XDG_STATE_HOME',
    'XDG_RUNTIME_DIR',
  ]) {
    expect(env[name], name).toMatch(new RegExp(`^${project.tmp}/shakedown-[a-z0-9]{8}/web/`));
  }
  expect(env.SHAKEDOWN_ENVIRONMENT).toMatch(/^[a-z0-9]{8}$/);
});

test('the working folder is that of the config, or one of its own', async () => {
  const service = (cwd: string): string =>
    `name: placed\nservices: { web: { run: [node, "\${config.dir}/services/answers.mjs"], listen: { env: PORT }${cwd} } }\n`;
  const here = makeProject({ 'shakedown.yaml': service('') });
  expect(await ask(here, '${web.url}/cwd')).toBe(here.folder);
  const own = makeProject({ 'shakedown.yaml': service(', cwd: "${self.dir}"') });
  expect(await ask(own, '${web.url}/cwd')).toMatch(new RegExp(`^${own.tmp}/shakedown-[a-z0-9]{8}/web/`));
});

test('config files are rendered in their format with live ports and addresses', async () => {
  const project = makeProject({
    'shakedown.yaml': `name: rendered
resources: { db: { kind: postgres } }
services:
  peer: { run: [node, services/answers.mjs], listen: { env: PORT } }
  web:
    run: [node, -e, "const fs = require('node:fs'); for (const f of ['a.toml','b.json','c.yaml','d.env']) console.log(fs.readFileSync(process.env.DIR + '/' + f, 'utf8')); setInterval(() => {}, 1000)"]
    listen: [{ env: PORT }, { name: admin, env: ADMIN_PORT }]
    env: { DIR: "\${self.dir}" }
    ready: { log: PASSWORD }
    files:
      a.toml: { template: a.tmpl }
      b.json: { text: '{"self": \${self.port}, "admin": \${self.admin.port}, "quoted": "\${env.ODD}"}' }
      c.yaml: { text: "url: \${db.url}\\n" }
      d.env: { text: "USER=\${db.user}\\nPASSWORD=\${db.password}\\n" }
`,
    'a.tmpl': 'peer = "${peer.url}"\nliteral = "$${not.a.reference}"\n',
  });
  const result = await project.run(['up', '--', 'true'], { env: { ODD: 'a "quoted" \\ word' } });
  expect(result.code, result.output).toBe(0);
  const log = readFileSync(path.join(project.folder, '.shakedown/latest/services/web.log'), 'utf8');
  expect(log).toMatch(/peer = "http:\/\/127\.0\.0\.1:\d+"\nliteral = "\$\{not\.a\.reference\}"/);
  const json = JSON.parse(/\{"self".*\}/.exec(log)?.[0] ?? '');
  expect(json).toEqual({ self: expect.any(Number), admin: expect.any(Number), quoted: 'a "quoted" \\ word' });
  expect(json.self).not.toBe(json.admin);
  expect(log).toMatch(/url: postgresql:\/\/\S+@127\.0\.0\.1:\d+\/\S+/);
});

test('a secret reaches its service and none of our files', async () => {
  const project = makeProject({
    'shakedown.yaml': `name: secretive
secrets: [API_KEY]
services: { web: { run: [node, -e, "console.log('the key is ' + process.env.KEY); setInterval(() => {}, 1000)"], env: { KEY: "\${env.API_KEY}" }, ready: { log: the key is } } }
`,
  });
  const result = await project.run(['up', '--', 'true'], { env: { API_KEY: 'sk-very-secret-123' } });
  expect(result.code, result.output).toBe(0);
  const run = path.join(project.folder, '.shakedown/latest');
  expect(readFileSync(path.join(run, 'services/web.log'), 'utf8')).toContain('the key is ‹secret:API_KEY›');
  for (const file of ['plan.json', 'events.ndjson', 'services/web.log', 'keeper.log']) {
    expect(readFileSync(path.join(run, file), 'utf8'), file).not.toContain('sk-very-secret-123');
  }
});
