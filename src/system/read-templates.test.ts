import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadProject, messageOf, serviceOf } from '../../test/harness/config-project.ts';

const config = `name: a
resources: { db: { kind: postgres } }
services:
  web:
    run: x
    listen: auto
    files:
      app.toml: { template: templates/app.toml }
      .env: { text: "PORT=\${self.port}" }
      conf/x: { text: hi, format: yaml }
`;

test('files with their formats, and a reference inside a template counts as a dependency', async () => {
  const system = await loadProject({ 'shakedown.yaml': config, 'templates/app.toml': 'db = ${db.url}\n' });
  expect(serviceOf(system, 'web').files).toEqual([
    { to: 'app.toml', format: 'toml', template: { file: join(system.folder, 'templates/app.toml') } },
    { to: '.env', format: 'env', template: { text: 'PORT=${self.port}' } },
    { to: 'conf/x', format: 'yaml', template: { text: 'hi' } },
  ]);
  expect(serviceOf(system, 'web').after).toEqual(['db']);
});

test('a missing template, at the position that names it', async () => {
  expect(await messageOf({ 'shakedown.yaml': config })).toMatchInlineSnapshot(`
    "error[template.not-found] ~/shakedown.yaml:8:29
      7 |     files:
      8 |       app.toml: { template: templates/app.toml }
        |                             ^^^^^^^^^^^^^^^^^^
      what     there is no template ~/templates/app.toml
      allowed  a template that exists and that you may read
      next     correct the path, or create the file"
  `);
});

test('an unknown name inside a template, at its position in the template', async () => {
  const files = {
    'shakedown.yaml': config,
    'templates/app.toml': '# settings\nport = ${self.port}\ndb = "${bd.url}"\n',
  };
  expect(await messageOf(files)).toMatchInlineSnapshot(`
    "error[config.unknown-variable] ~/templates/app.toml:3:7
      2 | port = \${self.port}
      3 | db = "\${bd.url}"
        |       ^^^^^^^^^
      what     unknown name \`bd\`
      allowed  db, web, self, env, run, environment, config
      next     did you mean \`\${db.url}\`?"
  `);
});

test('a template that is not text', async () => {
  const shown = await messageOf({
    'shakedown.yaml': config,
    'templates/app.toml': Buffer.from([0x61, 0xff]),
  });
  expect(shown).toContain('error[template.broken] ~/templates/app.toml:1:2');
});

test('a manifest fills in the template of its service', async () => {
  const yaml = `name: a
rosters: { all: { each: "*.toml", name: "\${it.name}", service: { run: x, listen: auto, files: { c.env: { template: "\${it.name}.tmpl" } } } } }
`;
  const files = {
    'shakedown.yaml': yaml,
    'one.toml': 'name = "one"\nkey = "k${x}"\n',
    'one.tmpl': 'K=${it.key}\nP=${self.port}\n',
  };
  const system = await loadProject(files);
  expect(serviceOf(system, 'one').files).toEqual([
    { to: 'c.env', format: 'env', template: { text: 'K=k$${x}\nP=${self.port}\n' } },
  ]);
  const shown = await messageOf({ ...files, 'one.tmpl': 'A=1\nK=${it.kee}\nP=${slef.port}\n' });
  expect(shown).toContain('error[config.unknown-variable] ~/one.tmpl:2:3');
  expect(shown).toContain('what     `${it.kee}`: `it` has no `kee` in one.toml');
  expect(shown).toContain('error[config.unknown-variable] ~/one.tmpl:3:3');
});

test('the hash follows the config, the manifests and the templates, and nothing else', async () => {
  const yaml = `name: a
rosters: { all: { each: "*.toml", name: "\${it.name}", service: { run: x, files: { a: { template: a.tmpl } } } } }
`;
  const files = { 'shakedown.yaml': yaml, 'one.toml': 'name = "one"\n', 'a.tmpl': 'a' };
  const hash = async (change: Record<string, string>): Promise<string> =>
    (await loadProject({ ...files, ...change })).configHash;
  const first = await hash({});
  expect(first).toMatch(/^[0-9a-f]{64}$/);
  expect(await hash({ 'readme.md': 'x' })).toBe(first);
  expect(await hash({ 'shakedown.yaml': yaml.replaceAll('\n', '\r\n') })).toBe(first);
  expect(await hash({ 'shakedown.yaml': `${yaml}# more\n` })).not.toBe(first);
  expect(await hash({ 'one.toml': 'name = "one"\nx = 1\n' })).not.toBe(first);
  expect(await hash({ 'a.tmpl': 'b' })).not.toBe(first);
});
