import { expect, test } from 'vitest';
import { loadProject, messageOf, serviceOf } from '../../../test/harness/config-project.ts';
import { limits } from '../../kernel/limits.ts';

const shown = (yaml: string | Uint8Array): Promise<string> => messageOf({ 'shakedown.yaml': yaml });

test('a tab as indentation', async () => {
  expect(await shown('name: a\nservices:\n\tweb: x\n')).toMatchInlineSnapshot(`
    "error[config.syntax] ~/shakedown.yaml:3:1
      2 | services:
      3 |  web: x
        | ^
      what     this is not YAML: tabs are not allowed as indentation
      allowed  YAML 1.2 without own tags, indented with spaces
      next     replace the tab by two spaces"
  `);
});

test('a reference without quotes in a flow map', async () => {
  expect(
    await shown('name: a\nservices:\n  web: { run: x, env: { URL: ${db.url} } }\n'),
  ).toMatchInlineSnapshot(`
    "error[config.syntax] ~/shakedown.yaml:3:30
      2 | services:
      3 |   web: { run: x, env: { URL: \${db.url} } }
        |                              ^
      what     this is not YAML: a \`\${…}\` without quotes inside { } or [ ]
      allowed  YAML 1.2 without own tags, indented with spaces
      next     put quotes around it: "\${…}""
  `);
});

test('a bracket that is never closed', async () => {
  expect(await shown('name: a\ntrials: [a, b\nservices: {}\n')).toMatchInlineSnapshot(`
    "error[config.syntax] ~/shakedown.yaml:3:1
      2 | trials: [a, b
      3 | services: {}
        | ^
      what     this is not YAML: flow sequence in block collection must be sufficiently indented and end with a ]
      allowed  YAML 1.2 without own tags, indented with spaces
      next     close the bracket that is opened above"
  `);
});

test('a value that holds a colon', async () => {
  expect(await shown('name: a: b\n')).toMatchInlineSnapshot(`
    "error[config.syntax] ~/shakedown.yaml:1:7
      1 | name: a: b
        |       ^
      what     this is not YAML: nested mappings are not allowed in compact mappings
      allowed  YAML 1.2 without own tags, indented with spaces
      next     put quotes around a value that holds \`: \`"
  `);
});

test('every duplicate key, with its first position', async () => {
  const yaml = 'name: a\nservices:\n  web: { run: x }\n  api: { run: y }\n  web: { run: z }\nname: b\n';
  expect(await shown(yaml)).toMatchInlineSnapshot(`
    "error[config.duplicate-name] ~/shakedown.yaml:5:3
      4 |   api: { run: y }
      5 |   web: { run: z }
        |   ^^^
      what     the key \`web\` is in this map twice; it is already in line 3
      allowed  each key once
      next     rename or remove one of the two

    error[config.duplicate-name] ~/shakedown.yaml:6:1
      5 |   web: { run: z }
      6 | name: b
        | ^^^^
      what     the key \`name\` is in this map twice; it is already in line 1
      allowed  each key once
      next     rename or remove one of the two"
  `);
});

test('an own tag', async () => {
  expect(await shown('name: !secret x\n')).toMatchInlineSnapshot(`
    "error[config.syntax] ~/shakedown.yaml:1:7
      1 | name: !secret x
        |       ^^^^^^^
      what     this is not YAML: unresolved tag: !secret
      allowed  YAML 1.2 without own tags, indented with spaces
      next     remove the tag, or put the value in quotes"
  `);
});

test('a second document', async () => {
  expect(await shown('name: a\n---\nname: b\n')).toMatchInlineSnapshot(`
    "error[config.syntax] ~/shakedown.yaml:2:1
      1 | name: a
      2 | ---
        | ^^^
      what     a second YAML document begins here
      allowed  one document per file
      next     remove the \`---\` line, or move what follows to a file of its own"
  `);
});

test('an empty file, and one of comments', async () => {
  expect(await shown('')).toMatchInlineSnapshot(`
    "error[config.syntax] ~/shakedown.yaml:1:1
      1 | 
        | ^
      what     the file is empty
      allowed  one YAML document
      next     write the document, or remove the file"
  `);
  expect(await shown('# later\n')).toContain('what     the file holds nothing but comments');
});

test('a key that is a list', async () => {
  expect(await shown('name: a\n? [x]\n: 2\n')).toMatchInlineSnapshot(`
    "error[config.syntax] ~/shakedown.yaml:2:3
      1 | name: a
      2 | ? [x]
        |   ^
      what     a key here is not a word but a list, a map or nothing
      allowed  words as keys
      next     put quotes around the key, or remove the line"
  `);
});

test('an alias without its anchor', async () => {
  expect(await shown('name: a\nservices: *x\n')).toMatchInlineSnapshot(`
    "error[config.syntax] ~/shakedown.yaml:2:11
      1 | name: a
      2 | services: *x
        |           ^^
      what     the alias *x has no anchor above it
      allowed  an alias to an anchor &name further up, at most 100 aliases within each other
      next     add &x to the value that it refers to"
  `);
});

test('an alias inside its own anchor', async () => {
  expect(await shown('name: &a [*a]\n')).toMatchInlineSnapshot(`
    "error[config.syntax] ~/shakedown.yaml:1:11
      1 | name: &a [*a]
        |           ^^
      what     the alias *a is inside the value that it refers to, which would contain itself
      allowed  an alias to an anchor &name further up that has ended
      next     write the value out"
  `);
});

test('aliases that multiply', async () => {
  const tenOf = (item: string): string => `[${Array.from({ length: 10 }, () => item).join(',')}]`;
  const yaml = `name: a\nw: &w ${tenOf('1')}\nx: &x ${tenOf('*w')}\ny: &y ${tenOf('*x')}\nz: ${tenOf('*y')}\n`;
  expect(await shown(yaml)).toContain('what     aliases inside aliases make the document too large');
});

test('bytes that are not UTF-8', async () => {
  expect(await shown(Buffer.from('name: caf\u00e9\n', 'latin1'))).toMatchInlineSnapshot(`
    "error[config.unreadable] ~/shakedown.yaml:1:10
      1 | name: caf�
        |          ^
      what     the config is not UTF-8: byte 0xe9 at offset 9
      allowed  text in UTF-8
      next     save it as UTF-8: iconv -f latin1 -t utf-8 ~/shakedown.yaml"
  `);
  expect(await shown(Buffer.from('\uFEFFname: a\n', 'utf16le'))).toContain(
    'next     save it as UTF-8: iconv -f utf-16',
  );
});

test('a file beyond the limit', async () => {
  expect(await shown(`# ${'x'.repeat(limits.configBytes)}\n`)).toContain(
    'allowed  at most 1048576 bytes (1.0 MB)',
  );
});

test('a byte-order mark and carriage returns do not shift positions', async () => {
  expect(await shown('\uFEFFname: a\r\nservices:\r\n  web: { rnu: x }\r\n')).toMatchInlineSnapshot(`
    "error[config.unknown-key] ~/shakedown.yaml:3:10
      2 | services:
      3 |   web: { rnu: x }
        |          ^^^
      what     \`rnu\` is not a key of \`services.web\`
      allowed  run, image, build, cwd, env, files, after, listen, ready, stop, shims, reset, at, entrypoint, command, mounts, user, hostname, platform, healthcheck, peers, memory, shm, privileged, capabilities, host, allow
      next     did you mean \`run\`?"
  `);
  expect(await shown('\uFEFFnaem: a\n')).toContain('shakedown.yaml:1:1');
});

test('anchors and merge keys carry values, and problems point at the anchor', async () => {
  const yaml = `name: a
services:
  one: &base
    run: [x]
    env: { A: 1, B: two }
  two:
    <<: *base
    env: { A: other }
  three: *base
`;
  const system = await loadProject({ 'shakedown.yaml': yaml });
  expect(system.services.map(({ name, run, env }) => [name, run, env])).toEqual([
    ['one', ['x'], { A: '1', B: 'two' }],
    ['two', ['x'], { A: 'other' }],
    ['three', ['x'], { A: '1', B: 'two' }],
  ]);
  const misspelt = await shown(yaml.replace('env: { A: 1', 'evn: { A: 1'));
  expect(misspelt.match(/yaml:\S+/g)).toEqual(['yaml:5:5', 'yaml:5:5', 'yaml:5:5']);
  expect(misspelt).toContain('what     `evn` is not a key of `services.two`');
});

test('a scalar in env arrives as written, not as YAML parsed it', async () => {
  const yaml =
    'name: a\nservices: { web: { run: x, env: { M: 0755, V: 1.10, B: true, L: 12345678901234567890, S: "1" } } }\n';
  const { env } = serviceOf(await loadProject({ 'shakedown.yaml': yaml }), 'web');
  expect(env).toEqual({ M: '0755', V: '1.10', B: 'true', L: '12345678901234567890', S: '1' });
});

test('a key that would reach into the prototype is refused, and those of every object are ordinary names', async () => {
  expect(await shown('name: a\nservices: { __proto__: { run: x } }\n')).toContain(
    'what     `__proto__` cannot be a key',
  );
  const system = await loadProject({
    'shakedown.yaml': 'name: a\nservices: { constructor: { run: x, after: [] } }\n',
  });
  expect(system.services.map(({ name }) => name)).toEqual(['constructor']);
  expect(await shown('name: a\nservices: { web: { run: "${constructor.url}" } }\n')).toContain(
    'unknown name `constructor`',
  );
});
