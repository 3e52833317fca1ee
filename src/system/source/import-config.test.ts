import { expect, test } from 'vitest';
import { type Files, loadInNode, messageOfNode } from '../../../test/harness/config-project.ts';

const shown = (config: string, files: Files = {}): Promise<string> =>
  messageOfNode({ 'shakedown.config.ts': config, ...files });
const plain =
  "import { defineSystem } from 'shakedown';\nexport default defineSystem({ name: 'a' as string });\n";

test.each([
  ['without package.json', {}],
  ['beside a package.json without a type', { 'package.json': '{ "name": "x" }' }],
  ['in a package of modules', { 'package.json': '{ "type": "module" }' }],
])('a config %s loads, and Node prints no warning', async (_, files) => {
  const dependencies = {
    'ports.ts': 'export const port: number = 8100;\n',
    'names.js': "export const name = 'b';\n",
    'old.js': 'module.exports = { after: [] };\n',
  };
  const config = `import { defineSystem } from 'shakedown';
import { port } from './ports.ts';
import { name } from './names.js';
import old from './old.js';
export default defineSystem({ name, services: { web: { run: 'x', listen: { port }, ...old } } });
`;
  const packaged =
    'package.json' in files && files['package.json']?.includes('module')
      ? { 'old.js': 'export default { after: [] };\n' }
      : {};
  const system = await loadInNode({ 'shakedown.config.ts': config, ...dependencies, ...packaged, ...files });
  expect(system.name).toBe('b');
  expect(system.services[0]?.listen[0]?.how).toEqual({ by: 'fixed', port: 8100 });
});

test.each(['shakedown.config.mts', 'shakedown.config.mjs', 'shakedown.config.js'])(
  '%s loads',
  async (name) => {
    const text = name.endsWith('ts') ? plain : plain.replace(' as string', '');
    expect((await loadInNode({ [name]: text })).name).toBe('a');
  },
);

test('CommonJS in plain JavaScript without a type loads, too', async () => {
  expect((await loadInNode({ 'shakedown.config.js': "module.exports = { name: 'a' };\n" })).name).toBe('a');
});

test('a type imported like a value', async () => {
  const config = "import { type Port, Name } from './types.ts';\nexport default { name: 'a' };\n";
  expect(
    await shown(config, { 'types.ts': 'export type Port = number;\nexport interface Name { x: 1 }\n' }),
  ).toMatchInlineSnapshot(`
    "error[config.type-as-value] ~/shakedown.config.ts:1:21
      1 | import { type Port, Name } from './types.ts';
        |                     ^^^^
      what     \`Name\` of './types.ts' is a type, and is imported like a value
      allowed  types imported with \`import type\`, because types are erased before the file runs
      next     write \`import type { Name } from './types.ts'\`"
  `);
  const own =
    "import { defineSystem, SystemDocument } from 'shakedown';\nexport default defineSystem({ name: 'a' });\n";
  expect(await shown(own)).toContain('error[config.type-as-value] ~/shakedown.config.ts:1:24');
});

test('a value that the other file does not export', async () => {
  const config = "import { prot } from './ports.ts';\nexport default { name: prot };\n";
  expect(await shown(config, { 'ports.ts': 'export const port = 1;\n' })).toMatchInlineSnapshot(`
    "error[config.unknown-name] ~/shakedown.config.ts:1:10
      1 | import { prot } from './ports.ts';
        |          ^^^^
      what     './ports.ts' exports no \`prot\`
      allowed  a name that the file exports
      next     export it there, or correct the name"
  `);
});

test('an import without its extension', async () => {
  const config = "// the ports\nimport { port } from './lib/ports';\nexport default { name: port };\n";
  expect(await shown(config, { 'lib/ports.ts': 'export const port = 1;\n' })).toMatchInlineSnapshot(`
    "error[config.missing-extension] ~/shakedown.config.ts:2:22
      1 | // the ports
      2 | import { port } from './lib/ports';
        |                      ^^^^^^^^^^^^^
      what     './lib/ports' does not name a file
      allowed  the whole name of the file, with its extension: './lib/ports.ts'
      next     write './lib/ports.ts'"
  `);
  const inner = {
    'a.ts': "import { x } from './b.js';\nexport const name = x;\n",
    'b.ts': "export const x = 'a';\n",
  };
  expect(await shown("import { name } from './a.ts';\nexport default { name };\n", inner)).toContain(
    'error[config.missing-extension] ~/a.ts:1:19',
  );
});

test('a missing file or package', async () => {
  expect(
    await shown("import { a } from './prots.ts';\nexport default {};\n", { 'ports.ts': '' }),
  ).toMatchInlineSnapshot(`
    "error[config.not-found] ~/shakedown.config.ts:1:19
      1 | import { a } from './prots.ts';
        |                   ^^^^^^^^^^^^
      what     './prots.ts' does not name a file
      allowed  a file that exists
      next     did you mean './ports.ts'?"
  `);
  expect(await shown('import pad from "@left/pad/x";\nexport default {};\n')).toMatchInlineSnapshot(`
    "error[config.not-found] ~/shakedown.config.ts:1:17
      1 | import pad from "@left/pad/x";
        |                 ^^^^^^^^^^^^^
      what     the package '@left/pad/x' is not installed where the config can see it
      allowed  'shakedown', node's own modules (\`node:…\`), files (\`./…\`) and installed packages
      next     npm install @left/pad"
  `);
});

test.each([
  ['enum Mode { A }', 'TypeScript enum is not supported in strip-only mode'],
  [
    'namespace N { export const x = 1; }',
    'TypeScript namespace declaration is not supported in strip-only mode',
  ],
  [
    'class A { constructor(public x: number) {} }',
    'TypeScript parameter property is not supported in strip-only mode',
  ],
])('TypeScript that cannot simply be erased: %s', async (code, what) => {
  const text = await shown(
    `import { defineSystem } from 'shakedown';\n${code}\nexport default defineSystem({ name: 'a' });\n`,
  );
  expect(text).toContain('error[config.unsupported-typescript] ~/shakedown.config.ts:2:');
  expect(text).toContain(`what     ${what}`);
});

test('an enum in a file that the config imports', async () => {
  const config = "import { Mode } from './mode.ts';\nexport default { name: Mode.A };\n";
  expect(await shown(config, { 'mode.ts': "\nexport enum Mode { A = 'a' }\n" })).toMatchInlineSnapshot(`
    "error[config.unsupported-typescript] ~/mode.ts:2:8
      1 | 
      2 | export enum Mode { A = 'a' }
        |        ^^^^^^^^^^^^^^^^^^^^^
      what     TypeScript enum is not supported in strip-only mode
      allowed  TypeScript whose types can simply be erased: no enum, namespace, parameter property, \`import x = require()\` or \`<T>value\`
      next     use an object: const Colour = { red: 'red' } as const"
  `);
});

test('"type": "commonjs" beside it', async () => {
  expect(
    await shown(plain, { 'package.json': '{\n  "name": "x",\n  "type": "commonjs"\n}\n' }),
  ).toMatchInlineSnapshot(`
    "error[config.module-type] ~/package.json:3:3
      2 |   "name": "x",
      3 |   "type": "commonjs"
        |   ^^^^^^^^^^^^^^^^^^
      what     this makes ~/shakedown.config.ts a CommonJS file, in which \`import\` and \`export\` do not work
      allowed  a config that is an ECMAScript module
      next     rename the config to ~/shakedown.config.mts, or write "type": "module" here"
  `);
  const system = await loadInNode({
    'shakedown.config.mts': plain,
    'package.json': '{ "type": "commonjs" }',
  });
  expect(system.name).toBe('a');
});

test('a config that throws, at the line that throws', async () => {
  const config =
    "const need = (name: string): string => {\n  throw new TypeError(`no ${name}`);\n};\nexport default { name: need('x') };\n";
  expect(await shown(config)).toMatchInlineSnapshot(`
    "error[config.threw] ~/shakedown.config.ts:2:9
      1 | const need = (name: string): string => {
      2 |   throw new TypeError(\`no \${name}\`);
        |         ^
      what     the config threw TypeError: no x
      allowed  a config that loads without an error; it is data, so it needs no work of its own
      next     correct the line shown, or write the value itself"
  `);
  expect(await shown("throw 'a text';\n")).toContain('what     the config threw "a text"');
  expect(await shown('const o: object[] = [];\no.push(o);\nthrow o;\n')).toContain(
    'what     the config threw <ref *1> [ [Circular *1] ]',
  );
  const hidden = "throw Object.defineProperty(new Error(), 'message', { get() { throw 1; } });\n";
  expect(await shown(hidden)).toContain('what     the config threw something that cannot be shown');
  const inner = { 'lib.ts': "\n\nexport const name: string = JSON.parse('{');\n" };
  expect(await shown("import { name } from './lib.ts';\nexport default { name };\n", inner)).toContain(
    '~/lib.ts:3:34\n',
  );
});

test('text that is not a program', async () => {
  expect(
    await shown("export default {\n  name: 'a',\n  services: { web: { run: ['x' } },\n};\n"),
  ).toMatchInlineSnapshot(`
    "error[config.syntax] ~/shakedown.config.ts:3:32
      2 |   name: 'a',
      3 |   services: { web: { run: ['x' } },
        |                                ^
      what     this is not TypeScript: Expected ',', got '}'
      allowed  TypeScript that the compiler accepts
      next     correct this line; an unclosed bracket or quote above it is the usual cause"
  `);
  expect(
    await messageOfNode({ 'shakedown.config.mjs': "export default {\n  name: 'a',\n  x: ],\n};\n" }),
  ).toContain('error[config.syntax] ~/shakedown.config.mjs:3:6');
});

test('no default export', async () => {
  expect(await shown("// a system\nexport const system = { name: 'a' };\n")).toMatchInlineSnapshot(`
    "error[config.missing-key] ~/shakedown.config.ts:2:1
      1 | // a system
      2 | export const system = { name: 'a' };
        | ^^^^^^
      what     the config exports \`system\`, but no default
      allowed  one default export: the system
      next     write \`export default defineSystem({ … })\`"
  `);
  expect(await shown('')).toContain('what     the config exports nothing');
});
