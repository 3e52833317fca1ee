/** A flow that runs product code in its own process is found; types, Node and the suite's own modules are not. */
import { expect, test } from 'vitest';
import { flowText, lintJson, lintProject } from './harness/lint-project.ts';

const product = 'export type Thing = { a: number };\nexport const answer = 42;\n';
const body = "at.check('held', await at.http('web').get('/'), { status: 200 });";

test('imports of product code and of packages, wherever a flow reaches them', async () => {
  const project = lintProject({
    'src/product.ts': product,
    'node_modules/left-pad/index.js': 'export default 1;\n',
    'node_modules/left-pad/package.json': '{ "name": "left-pad", "type": "module", "main": "index.js" }',
    'trials/one.flow.ts': flowText(
      'one',
      body,
      "import path from 'node:path';\nimport { answer } from '../src/product.ts';\nexport const used = [path, answer];",
    ),
    'trials/two.flow.ts': flowText('two', body, "import './lib/shared.ts';"),
    'trials/lib/shared.ts': "import pad from 'left-pad';\nexport const used = pad;\n",
    'trials/three.flow.ts': flowText(
      'three',
      `const { answer } = await import('../src/product.ts'); void answer; ${body}`,
      "import type { Thing } from '../src/product.ts';\nexport type Used = Thing;",
    ),
  });
  const { code, shown, findings } = await lintJson(project);
  expect(code).toBe(6);
  expect(shown).toEqual([
    'product-import trials/lib/shared.ts:1',
    'product-import trials/one.flow.ts:3',
    'product-import trials/three.flow.ts:5',
  ]);
  expect(findings[1]).toMatchObject({ trial: 'one', level: 'finding' });
  expect(findings[1]?.next).toContain('suite: { imports: { allow: [src/product.ts], because: … } }');
});

const imports = "import { answer } from '../src/product.ts';\nexport const used = answer;";

test('what the policy allows is not a finding, and an unused allowance is a warning', async () => {
  const files = { 'src/product.ts': product, 'trials/one.flow.ts': flowText('one', body, imports) };
  const policy = 'suite:\n  imports:\n    allow: [src/*.ts, lib/**]\n    because: schemas alone\n';
  const { code, shown, findings } = await lintJson(lintProject(files, policy));
  expect(code).toBe(0);
  expect(shown).toEqual(['unused-allowance shakedown.yaml:8']);
  expect(findings[0]).toMatchObject({ level: 'warning', text: expect.stringContaining('"lib/**"') });
});

test('an allowance for everything is refused', async () => {
  const project = lintProject({}, 'suite: { imports: { allow: ["**"], because: why not } }\n');
  const { code, stderr } = await project.run(['lint']);
  expect(code).toBe(2);
  expect(stderr).toMatch(/error\[config\.bad-pattern\] .*shakedown\.yaml:6:29/);
});

test('without a folder in `trials`, only the flows are known to be the suite', async () => {
  const project = lintProject({
    'shakedown.yaml':
      'name: pair\nservices:\n  web: { run: [node, services/answers.mjs], listen: { env: PORT } }\n',
    'one.flow.ts': flowText('one', body, "import './product.ts';"),
    'product.ts': product,
  });
  expect((await lintJson(project)).shown).toEqual(['product-import one.flow.ts:2']);
});
