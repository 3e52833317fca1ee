import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadProject, messageOf, serviceOf } from '../../../test/harness/config-project.ts';
import { limits } from '../../kernel/limits.ts';

const config = (service: string, name = '${it.butler.name}'): string => `name: a
resources: { db: { kind: postgres } }
services: { board: { run: x, after: [butlers], env: { ALL: "\${butlers.*.url}", ONE: "\${health.url}" } } }
rosters:
  butlers:
    each: roster/*/butler.*
    name: ${JSON.stringify(name)}
    service: ${service}
`;

const roster = {
  'roster/b/butler.yaml': 'butler: { name: health, port: 4100, tags: [x], since: 2024 }\n',
  'roster/a/butler.toml': '[butler]\nname = "finance"\nport = 4200\nborn = 2024-05-01\n',
  'roster/c/butler.json': '{ "butler": { "name": "travel", "port": 4300, "note": "costs ${5.00}" } }\n',
};

test('every manifest becomes a service, in path order, in any format', async () => {
  const service =
    '{ run: [node, "${it.folder}", "${it.file}"], listen: { port: "${it.butler.port}" }, env: { NAME: "${it.butler.name}", DB: "${db.url}" } }';
  const system = await loadProject({ 'shakedown.yaml': config(service), ...roster });
  expect(system.rosters).toEqual({ butlers: ['finance', 'health', 'travel'] });
  expect(system.services.map(({ name, roster: of }) => [name, of])).toEqual([
    ['board', undefined],
    ['finance', 'butlers'],
    ['health', 'butlers'],
    ['travel', 'butlers'],
  ]);
  expect(serviceOf(system, 'board').after).toEqual(['finance', 'health', 'travel']);
  const health = serviceOf(system, 'health');
  expect(health.run).toEqual([
    'node',
    join(system.folder, 'roster/b'),
    join(system.folder, 'roster/b/butler.yaml'),
  ]);
  expect(health.listen).toEqual([{ name: 'main', scheme: 'http', how: { by: 'fixed', port: 4100 } }]);
  expect(health.env).toEqual({ NAME: 'health', DB: '${db.url}' });
  expect(health.after).toEqual(['db']);
});

test('a manifest cannot smuggle in a reference', async () => {
  const service = '{ run: "x ${it.note}", listen: auto, ready: { command: ["${it.note}"] } }';
  const system = await loadProject({
    'shakedown.yaml': config(service, '${it.name}'),
    'roster/a/butler.toml': 'name = "health"\nnote = "${env.SECRET} $"\n',
  });
  expect(serviceOf(system, 'health').run).toEqual(['sh', '-c', 'x $${env.SECRET} $']);
  expect(serviceOf(system, 'health').ready).toMatchObject({ run: ['$${env.SECRET} $'] });
});

test('a missing key: which manifest, which key, what is available', async () => {
  const service = '{ run: ["${it.butler.prot}"], listen: auto, env: { B: "${it.butler.born}" } }';
  expect(await messageOf({ 'shakedown.yaml': config(service), ...roster })).toMatchInlineSnapshot(`
    "error[config.unknown-variable] ~/shakedown.yaml:8:23
      7 |     name: "\${it.butler.name}"
      8 |     service: { run: ["\${it.butler.prot}"], listen: auto, env: { B: "\${it.butler.born}" } }
        |                       ^^^^^^^^^^^^^^^^^
      what     \`\${it.butler.prot}\`: \`it.butler\` has no \`prot\` in roster/a/butler.toml and 2 other manifests
      allowed  it.butler has: name, port, born
      next     did you mean \`\${it.butler.port}\`?

    error[config.unknown-variable] ~/shakedown.yaml:8:69
      7 |     name: "\${it.butler.name}"
      8 |     service: { run: ["\${it.butler.prot}"], listen: auto, env: { B: "\${it.butler.born}" } }
        |                                                                     ^^^^^^^^^^^^^^^^^
      what     \`\${it.butler.born}\`: \`it.butler\` has no \`born\` in roster/b/butler.yaml and one other manifest
      allowed  it.butler has: name, port, tags, since
      next     add \`born\` to the manifest, or change the reference"
  `);
});

test('a list or a map is not a value', async () => {
  const files = { 'roster/b/butler.yaml': roster['roster/b/butler.yaml'] };
  const problem = await messageOf({
    'shakedown.yaml': config('{ run: ["${it.butler.tags}", "${it.butler}"], listen: auto }'),
    ...files,
  });
  expect(problem).toContain('`${it.butler.tags}`: `it.butler.tags` is a list in roster/b/butler.yaml');
  expect(problem).toContain('next     name one of its keys: `${it.butler.name}`');
});

test('manifests that cannot be read, each at its own line', async () => {
  const files = {
    'roster/a/butler.toml': '[butler]\nname = "a"\nport = = 1\n',
    'roster/b/butler.yaml': 'butler:\n\tname: b\n',
    'roster/c/butler.json': '{\n  "butler": { "name": "c", }\n}\n',
    'roster/d/butler.json': '[1]\n',
    'roster/e/butler.ini': 'name=e\n',
    'roster/f/butler.json': '{ "butler": ',
  };
  expect(
    await messageOf({ 'shakedown.yaml': config('{ run: x, listen: auto }'), ...files }),
  ).toMatchInlineSnapshot(`
    "error[roster.broken-manifest] ~/roster/a/butler.toml:3:8
      2 | name = "a"
      3 | port = = 1
        |        ^
      what     this is not TOML: invalid value
      allowed  a manifest that can be read: TOML, YAML or JSON, by its extension
      next     correct this line; an unclosed bracket or quote above it is the usual cause

    error[roster.broken-manifest] ~/roster/b/butler.yaml:2:1
      1 | butler:
      2 |  name: b
        | ^
      what     this is not YAML: tabs are not allowed as indentation
      allowed  YAML 1.2 without own tags, indented with spaces
      next     replace the tab by two spaces

    error[roster.broken-manifest] ~/roster/c/butler.json:2:28
      1 | {
      2 |   "butler": { "name": "c", }
        |                            ^
      what     this is not JSON: Expected double-quoted property name
      allowed  a manifest that can be read: TOML, YAML or JSON, by its extension
      next     correct this line; an unclosed bracket or quote above it is the usual cause

    error[roster.broken-manifest] ~/roster/d/butler.json:1:1
      1 | [1]
        | ^
      what     the manifest is not a map
      allowed  keys and values at the top of a manifest
      next     put the values under keys

    error[roster.broken-manifest] ~/roster/f/butler.json:1:11
      1 | { "butler": 
        |           ^
      what     this is not JSON: Unexpected end of JSON input
      allowed  a manifest that can be read: TOML, YAML or JSON, by its extension
      next     correct this line; an unclosed bracket or quote above it is the usual cause

    error[roster.broken-manifest] ~/shakedown.yaml:6:11
      5 |   butlers:
      6 |     each: roster/*/butler.*
        |           ^^^^^^^^^^^^^^^^^
      what     the glob finds ~/roster/e/butler.ini, which ends with ".ini"
      allowed  .toml, .yaml, .yml, .json
      next     name the manifests in the glob, such as 'roster/*/butler.toml'"
  `);
});

test('an invalid service name, at its position in the manifest', async () => {
  const files = {
    'roster/a/butler.toml': '[butler]\nname = "Dr. Who"\n',
    'roster/b/butler.toml': '[butler]\nname = ""\n',
  };
  expect(
    await messageOf({ 'shakedown.yaml': config('{ run: x, listen: auto }'), ...files }),
  ).toMatchInlineSnapshot(`
    "error[config.bad-value] ~/roster/a/butler.toml:2:9
      1 | [butler]
      2 | name = "Dr. Who"
        |         ^^^^^^^
      what     "Dr. Who" cannot be the name of a service; the roster \`butlers\` takes it from \`\${it.butler.name}\`
      allowed  a name of lower-case letters, digits and -, beginning with a letter, at most 40 long
      next     change it in roster/a/butler.toml, or take the name from another key

    error[config.bad-value] ~/shakedown.yaml:7:11
      6 |     each: roster/*/butler.*
      7 |     name: "\${it.butler.name}"
        |           ^^^^^^^^^^^^^^^^^^^
      what     "" cannot be the name of a service; the roster \`butlers\` takes it from \`\${it.butler.name}\`
      allowed  a name of lower-case letters, digits and -, beginning with a letter, at most 40 long
      next     change it in roster/b/butler.toml, or take the name from another key"
  `);
});

test('an empty roster', async () => {
  expect(await messageOf({ 'shakedown.yaml': config('{ run: x }') })).toMatchInlineSnapshot(`
    "error[roster.empty] ~/shakedown.yaml:6:11
      5 |   butlers:
      6 |     each: roster/*/butler.*
        |           ^^^^^^^^^^^^^^^^^
      what     the glob "roster/*/butler.*" finds no file in ~
      allowed  at least one manifest
      next     look for them: ls roster/*/butler.*"
  `);
});

test('a roster beyond the limit', async () => {
  const files = Object.fromEntries(
    Array.from({ length: limits.rosterMembers + 1 }, (_, index) => [`roster/${index}/butler.toml`, '']),
  );
  expect(await messageOf({ 'shakedown.yaml': config('{ run: x }'), ...files })).toContain(
    'finds more than 500 files',
  );
});

test('values filled in from a manifest are checked like values in the config', async () => {
  const files = { 'roster/a/butler.toml': '[butler]\nname = "a"\nport = "high"\nwait = "soon"\n' };
  const service =
    '{ run: x, listen: { port: "${it.butler.port}" }, ready: { tcp: true, within: "${it.butler.wait}" } }';
  expect(await messageOf({ 'shakedown.yaml': config(service), ...files })).toMatchInlineSnapshot(`
    "error[config.wrong-type] ~/shakedown.yaml:8:40
      7 |     name: "\${it.butler.name}"
      8 |     service: { run: x, listen: { port: "\${it.butler.port}" }, ready: { tcp: true, within: "\${it.butler.wait}" } }
        |                                        ^^^^^^^^^^^^^^^^^^^
      what     \`rosters.butlers.service.listen.port\` is "high", a text, with roster/a/butler.toml
      allowed  a port from 1 to 65535
      next     change the value

    error[config.bad-value] ~/shakedown.yaml:8:91
      7 |     name: "\${it.butler.name}"
      8 |     service: { run: x, listen: { port: "\${it.butler.port}" }, ready: { tcp: true, within: "\${it.butler.wait}" } }
        |                                                                                           ^^^^^^^^^^^^^^^^^^^
      what     \`rosters.butlers.service.ready.within\` is "soon", with roster/a/butler.toml
      allowed  a duration such as \`250ms\`, \`15s\` or \`2m\`, at most \`24h\`
      next     change the value"
  `);
});

test('a member that waits for its own roster', async () => {
  const problem = await messageOf({
    'shakedown.yaml': config('{ run: x, listen: auto, after: [butlers] }'),
    ...roster,
  });
  expect(problem).toContain('error[config.dependency-cycle] ~/shakedown.yaml:8:46');
  expect(problem.match(/wait for each other/g)).toHaveLength(1);
});

test('the addresses of a roster need members that listen, and are referred to together', async () => {
  const mute = await messageOf({ 'shakedown.yaml': config('{ run: x }'), ...roster });
  expect(mute).toContain('error[config.unknown-variable] ~/shakedown.yaml:3:61');
  expect(mute).toContain('what     the service `finance` does not listen, so it has no address');
  const single = config('{ run: x, listen: auto }').replace('butlers.*.url', 'butlers.url');
  expect(await messageOf({ 'shakedown.yaml': single, ...roster })).toContain(
    'what     `butlers` is a roster, and has no `url`',
  );
});
