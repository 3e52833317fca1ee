import { expect, test } from 'vitest';
import { makeProject } from './harness/project.ts';

const ok = '{ run: [node, x.mjs] }';

/** What is written, then: the code, the place, and words that must be in the text. */
const broken: Readonly<
  Record<string, readonly [files: Record<string, string>, code: string, place: string, ...words: string[]]>
> = {
  'an unknown key': [
    { 'shakedown.yaml': `name: a\nservices:\n  web:\n    run: [node]\n    redy: { tcp: true }\n` },
    'config.unknown-key',
    'shakedown.yaml:5:5',
    '^^^^',
    'did you mean `ready`',
  ],
  'a wrong type': [
    { 'shakedown.yaml': `name: a\nservices:\n  web: { run: 7 }\n` },
    'config.wrong-type',
    'shakedown.yaml:3:15',
    '7',
  ],
  'a dependency cycle': [
    {
      'shakedown.yaml':
        'name: a\nservices:\n  one: { run: [node], after: [two] }\n  two: { run: [node], after: [one] }\n',
    },
    'config.dependency-cycle',
    'shakedown.yaml:',
    'one → two → one',
  ],
  'a duplicate name': [
    { 'shakedown.yaml': `name: a\njobs: { web: ${ok} }\nservices: { web: ${ok} }\n` },
    'config.duplicate-name',
    'shakedown.yaml:3:',
    'web',
  ],
  'an unknown variable': [
    {
      'shakedown.yaml': `name: a\nresources: { db: { kind: postgres } }\nservices: { web: { run: [node], env: { U: "\${bd.url}" } } }\n`,
    },
    'config.unknown-variable',
    'shakedown.yaml:3:',
    'db.url',
  ],
  'an unknown name in after': [
    { 'shakedown.yaml': `name: a\nservices: { web: { run: [node], after: [migrat] }, migrate: ${ok} }\n` },
    'config.unknown-name',
    'shakedown.yaml:2:',
    'migrate',
  ],
  'a broken roster manifest': [
    {
      'shakedown.yaml': `name: a\nrosters:\n  all: { each: "roster/*/it.toml", name: "\${it.name}", service: ${ok} }\n`,
      'roster/good/it.toml': 'name = "good"\n',
      'roster/bad/it.toml': 'name = "bad\n',
    },
    'roster.broken-manifest',
    'roster/bad/it.toml:1:',
  ],
  'a type imported as a value': [
    {
      'shakedown.config.ts':
        "import { defineSystem, SystemDocument } from 'shakedown';\nexport default defineSystem({ name: 'a', services: {} } as SystemDocument);\n",
    },
    'config.type-as-value',
    'shakedown.config.ts:1:',
    'import type',
  ],
  'a missing extension': [
    {
      'shakedown.config.ts': "import { name } from './name';\nexport default { name, services: {} };\n",
      'name.ts': "export const name = 'a';\n",
    },
    'config.missing-extension',
    'shakedown.config.ts:1:',
    './name.ts',
  ],
  'a parameter property': [
    {
      'shakedown.config.ts':
        "class A { constructor(readonly name: string) {} }\nexport default { name: new A('a').name, services: {} };\n",
    },
    'config.unsupported-typescript',
    'shakedown.config.ts:1:',
  ],
  'a folder whose modules are CommonJS': [
    {
      'shakedown.config.ts':
        "import { defineSystem } from 'shakedown';\nexport default defineSystem({ name: 'a', services: {} });\n",
      'package.json': '{"type":"commonjs"}',
    },
    'config.module-type',
    'shakedown.config.ts',
    '.mts',
  ],
  'a config that ends the process': [
    {
      'shakedown.config.ts': "import './settings.ts';\nexport default { name: 'a', services: {} };\n",
      'settings.ts': "export const port = 8080;\nif (!process.argv.includes('serve')) process.exit(0);\n",
    },
    'config.threw',
    'settings.ts:2:',
    'ended the process',
  ],
  'a promise of a config that nobody waits for': [
    {
      'shakedown.config.ts':
        "Promise.reject(new Error('no such vault'));\nexport default { name: 'a', services: {} };\n",
    },
    'config.threw',
    'shakedown.config.ts:1:',
    'no such vault',
  ],
  'a rejection that is no error': [
    { 'shakedown.config.ts': "Promise.reject('vault');\nexport default { name: 'a', services: {} };\n" },
    'config.threw',
    'the config',
    'vault',
  ],
  'a text with a NUL': [
    { 'shakedown.yaml': 'name: a\nservices: { web: { run: [node, "a\\0b"] } }\n' },
    'config.wrong-type',
    'shakedown.yaml:2:',
    '`services.web.run[1]`',
  ],
  'an edge where there is none': [
    { 'shakedown.yaml': `name: a\nedges: { "web -> api": { idle: ignore } }\nservices: { web: ${ok} }\n` },
    'config.unknown-name',
    'shakedown.yaml: edges',
    'none: nothing in this system',
  ],
  'no config at all': [{}, 'config.not-found', '', 'shakedown init'],
};

test.each(Object.entries(broken))(
  '%s is reported with its place, what is allowed and what to do',
  async (_, [files, code, place, ...words]) => {
    const result = await makeProject(files).run(['lint']);
    expect(result.code, result.output).toBe(2);
    expect(result.stderr).toContain(`error[${code}]`);
    expect(result.stderr).toContain(place);
    for (const word of words) expect(result.stderr).toContain(word);
    expect(result.stderr).toMatch(/what {5}.+\n[\s\S]*allowed {2}.+\n[\s\S]*next {5}.+/);
  },
);

test('a config in TypeScript is the same document, in a folder without package.json', async () => {
  const project = makeProject({
    'shakedown.config.ts': `import { defineSystem, postgres, ref } from 'shakedown';
export default defineSystem({
  name: 'typed',
  resources: { db: postgres({ schemaPerService: true }) },
  services: { web: { run: ['node', 'services/answers.mjs'], listen: { env: 'PORT' }, env: { DB: ref('db.url') }, ready: { http: '/env', json: { DB: { $regex: '^postgres' } } } } },
});
`,
  });
  const result = await project.run(['up', '--', 'true']);
  expect(result.code, result.output).toBe(0);
  expect(result.stderr).toBe('');
});

test('errors are data with --json', async () => {
  const result = await makeProject({ 'shakedown.yaml': 'name: a\nservices: { web: { run: 7 } }\n' }).run([
    'lint',
    '--json',
  ]);
  expect(result.code).toBe(2);
  expect(JSON.parse(result.stdout)).toMatchObject({
    errors: [{ code: 'config.wrong-type', family: 'you', where: { line: 2 }, exitCode: 2 }],
  });
});

test.each([
  [['upp'], 'usage.unknown-verb', 'did you mean `shakedown up`?'],
  [['up', '--detatch'], 'usage.unknown-option', 'did you mean `--detach`?'],
  [['up', '--seed'], 'usage.bad-value', 'needs a value'],
  [['up', '--'], 'usage.bad-value', 'there is no command after'],
  [['up', '--containment', 'hope'], 'usage.bad-value', 'namespace, ledger'],
  [['logs', '--tail', 'many'], 'usage.bad-value', 'invalid number'],
  [['parity'], 'usage.unknown-verb', 'is planned'],
])('%j is refused as %s', async (args, code, words) => {
  const project = makeProject({
    'shakedown.yaml': `name: a\nservices: { web: ${ok} }\n`,
  });
  const result = await project.run(args);
  expect(result.code, result.output).toBe(2);
  expect(result.stderr).toContain(`error[${code}]`);
  expect(result.stderr).toContain(words);
});

test('lint names the edges that no tap can see', async () => {
  const project = makeProject({
    'shakedown.yaml':
      'name: a\nservices:\n  web: { run: [node], env: { API: "https://api.example.com/v1", CACHE: "redis://localhost:6379" } }\n',
  });
  const result = await project.run(['lint']);
  expect(result.code).toBe(0);
  expect(result.stdout).toContain(
    'web -> https://api.example.com/v1 (env API): outside of the system, and TLS hides',
  );
  expect(result.stdout).toContain(
    'web -> redis://localhost:6379 (env CACHE): a fixed address on this machine',
  );
});

test('what a config prints does not spoil the JSON', async () => {
  const project = makeProject({
    'shakedown.config.mjs': `console.log('injecting variables');\nexport default { name: 'a', services: {} };\n`,
  });
  const { stdout, stderr } = await project.run(['lint', '--json']);
  expect(JSON.parse(stdout)).toMatchObject({ errors: expect.any(Array) });
  expect(stderr).toContain('injecting variables');
});
