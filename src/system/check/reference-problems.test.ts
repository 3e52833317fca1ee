import { expect, test } from 'vitest';
import { loadProject, messageOf, serviceOf } from '../../../test/harness/config-project.ts';

const system = (rest: string): string => `name: a
resources: { db: { kind: postgres } }
jobs: { migrate: { run: x } }
services:
  api: { run: x, listen: [{ env: PORT }, { name: admin, env: ADMIN }] }
  mute: { run: x }
  logger: { run: x, listen: { log: ":(\\\\d+)" } }
${rest}`;

/** What is said of one text in `env` of a service that listens. */
async function saidOf(text: string, env = {}): Promise<string | undefined> {
  const yaml = system(`  web: { run: x, listen: auto, env: { A: ${JSON.stringify(text)} } }\n`);
  const seen = await messageOf({ 'shakedown.yaml': yaml }, env);
  if (seen === '') return undefined;
  const [, at] = /shakedown\.yaml:8:(\d+)/.exec(seen) ?? [];
  const quoteAt = (yaml.split('\n')[7] ?? '').indexOf(JSON.stringify(text));
  const column = Number(at) - quoteAt - 2;
  return [
    column,
    ...['what', 'next'].map((part) => new RegExp(`^ {2}${part} +(.*)$`, 'm').exec(seen)?.[1]),
  ].join(' | ');
}

test.each([
  '${db.url} ${db.host} ${db.port} ${db.user} ${db.password} ${db.database} ${db.schema}',
  '${api.url} ${api.host} ${api.port} ${api.main.url} ${api.admin.host} ${api.admin.port}',
  '${self.port} ${self.main.port} ${self.dir} ${self.name} ${self.home} ${self.tmp}',
  '${run.id} ${environment.id} ${config.dir} ${env.SET} ${env.UNSET:-default} $${anything at all}',
])('%s can be resolved', async (text) => {
  expect(await saidOf(text, { SET: '' })).toBeUndefined();
});

test.each([
  ['x ${db.ulr}', '2 | `db` has no `ulr` | did you mean `${db.url}`?'],
  ['${bd.url}', '0 | unknown name `bd` | did you mean `${db.url}`?'],
  ['${db}', '0 | `${db}` does not name a property of `db` | write one of these'],
  ['${api.amdin.url}', '0 | `api` has no `amdin.url` | did you mean `${api.admin.url}`?'],
  ['${mute.url}', '0 | the service `mute` does not listen, so it has no address | add `listen` to `mute`'],
  [
    '${migrate.url}',
    '0 | `migrate` is a job, and a job has no address | use one of these names, or write `$${` for a plain `${`',
  ],
  ['${web.url}', '0 | `web` refers to itself | write `${self.port}`; on this machine the host is 127.0.0.1'],
  ['${web.dir}', '0 | `web` refers to itself | write `${self.dir}`'],
  ['${web.admin.port}', '0 | `web` refers to itself | write `${self.admin.port}`'],
  ['${self.prot}', '0 | `self` has no `prot` | did you mean `${self.port}`?'],
  ['${run.di}', '0 | `run` has no `di` | did you mean `${run.id}`?'],
  [
    '${it.folder}',
    '0 | `it` exists only in the service of a roster | use one of these names, or write `$${` for a plain `${`',
  ],
  [
    '${HOME}',
    '0 | unknown name `HOME` | write `${env.HOME}` for a variable of yours, or `$${HOME}` to leave it to the program',
  ],
  ['a ${env.TOKEN}', '2 | the environment variable TOKEN is not set | export TOKEN=…'],
  ['${env}', '0 | `${env}` does not name a variable | write the name of one environment variable'],
  [
    '${db.url',
    '0 | `${db.url` cannot be read: the brace is never closed | correct it, or write `$${` for a plain `${`',
  ],
])('%s: %s', async (text, said) => {
  expect(await saidOf(text)).toBe(said);
});

test('the whole text of a problem, in the middle of a block of YAML', async () => {
  const yaml = system(`  web:
    run: x
    env:
      TEXT: |
        first \${api.url}
        then \${api.urll} and \${api.urll}
`);
  expect(await messageOf({ 'shakedown.yaml': yaml })).toMatchInlineSnapshot(`
    "error[config.unknown-variable] ~/shakedown.yaml:13:14
      12 |         first \${api.url}
      13 |         then \${api.urll} and \${api.urll}
         |              ^^^^^^^^^^^
      what     \`api\` has no \`urll\`
      allowed  api.url, api.host, api.port, api.main.url, api.main.host, api.main.port, api.admin.url, api.admin.host, api.admin.port
      next     did you mean \`\${api.url}\`?

    error[config.unknown-variable] ~/shakedown.yaml:13:30
      12 |         first \${api.url}
      13 |         then \${api.urll} and \${api.urll}
         |                              ^^^^^^^^^^^
      what     \`api\` has no \`urll\`
      allowed  api.url, api.host, api.port, api.main.url, api.main.host, api.main.port, api.admin.url, api.admin.host, api.admin.port
      next     did you mean \`\${api.url}\`?"
  `);
});

test('self.port needs a port that is known before the start', async () => {
  const job = 'name: a\njobs: { j: { run: "${self.port}" } }\n';
  expect(await messageOf({ 'shakedown.yaml': job })).toContain(
    'what     `${self.port}` is used, but the service has no listener',
  );
  const early = 'name: a\nservices: { s: { run: "x ${self.port}", listen: { log: ":(\\\\d+)" } } }\n';
  expect(await messageOf({ 'shakedown.yaml': early })).toContain(
    'what     the port of `s` is not known before it starts',
  );
  const late =
    'name: a\nservices: { s: { run: x, listen: { log: ":(\\\\d+)" }, ready: { command: ["ping", "${self.port}"] } } }\n';
  expect(await messageOf({ 'shakedown.yaml': late })).toBe('');
});

test('a reference where nothing is filled in is refused, and ${ in a regular expression means nothing', async () => {
  const path = 'name: a\nservices: { s: { run: x, listen: auto, ready: { http: "/${self.name}" } } }\n';
  expect(await messageOf({ 'shakedown.yaml': path })).toContain('shakedown.yaml:2:57\n');
  const expression = 'name: a\nservices: { s: { run: x, ready: { log: "port ${self.port}" } } }\n';
  expect(await messageOf({ 'shakedown.yaml': expression })).toContain(
    '`${self.port}` cannot be used here: nothing is filled in',
  );
  const fine = 'name: a\nservices: { s: { run: x, ready: { log: "^${" } } }\n';
  expect(await messageOf({ 'shakedown.yaml': fine })).toBe('');
});

test('the url of a resource can use environment variables and nothing else', async () => {
  const yaml = 'name: a\nresources: { db: { kind: postgres, url: "postgres://${env.U}@${self.name}" } }\n';
  const seen = await messageOf({ 'shakedown.yaml': yaml });
  expect(seen).toContain('shakedown.yaml:2:53\n');
  expect(seen).toContain('what     the environment variable U is not set');
  expect(seen).toContain('what     `${self.name}` is not defined here');
  const system = await loadProject(
    { 'shakedown.yaml': yaml.replace('${self.name}', 'host') },
    { U: 'secret-user' },
  );
  expect(system.resources).toMatchObject([{ url: 'postgres://${env.U}@host' }]);
});

test('no value of a variable reaches the system, secret or not', async () => {
  const yaml =
    'name: a\nsecrets: [KEY]\nservices: { s: { run: "x ${env.KEY}", env: { K: "${env.KEY}", O: "${env.OTHER:-d}" } } }\n';
  const loaded = await loadProject({ 'shakedown.yaml': yaml }, { KEY: 'hunter2', OTHER: 'hunter3' });
  expect(serviceOf(loaded, 's').env).toEqual({ K: '${env.KEY}', O: '${env.OTHER:-d}' });
  expect(JSON.stringify(loaded)).not.toContain('hunter');
});

test('a reference to a resource is a dependency, one to a service is not', async () => {
  const yaml = system('  web: { run: "x ${api.url}", files: { a: { text: "${db.url}" } }, after: [mute] }\n');
  expect(serviceOf(await loadProject({ 'shakedown.yaml': yaml }), 'web').after).toEqual(['db', 'mute']);
});

test('a reference inside of `matrix` is refused: nothing fills it in', async () => {
  const seen = await messageOf({
    'shakedown.yaml': system('matrix: { url: ["plain", "${db.url}"], price: ["$${plain}", "5 $"] }\n'),
  });
  expect(seen).toContain('shakedown.yaml:8:');
  expect(seen.match(/what .*/g)).toEqual(['what     `${db.url}` cannot be used here: nothing is filled in']);
  expect(seen).toContain('write the references next to `${matrix.NAME}`');
});
