import { expect, test } from 'vitest';
import { toldBy } from '../../../test/harness/config-project.ts';

const told = (services: string): Promise<string> =>
  toldBy({ 'shakedown.yaml': `name: a\nresources: { db: { kind: postgres } }\nservices:\n${services}` });

test('an unknown name, with the nearest one', async () => {
  expect(await told('  web: { run: x, after: [db, apii] }\n  api: { run: x }\n')).toMatchInlineSnapshot(`
    "error[config.unknown-name] ~/shakedown.yaml:4:30
      3 | services:
      4 |   web: { run: x, after: [db, apii] }
        |                              ^^^^
      what     nothing is called \`apii\`
      allowed  db, web, api
      next     did you mean \`api\`?"
  `);
});

test('a circle, with its members in order', async () => {
  const services =
    '  web: { run: x, after: [db, api] }\n  api: { run: x, after: [auth] }\n  auth: { run: x, after: [web] }\n  top: { run: x, after: [web] }\n';
  expect(await told(services)).toMatchInlineSnapshot(`
    "error[config.dependency-cycle] ~/shakedown.yaml:4:30
      3 | services:
      4 |   web: { run: x, after: [db, api] }
        |                              ^^^
      what     these wait for each other: web → api → auth → web
      allowed  an order in which each can start
      next     remove one of these \`after\`; an address such as \`\${name.url}\` is known without waiting"
  `);
});

test('two circles apart are two problems, and one that waits for itself is a circle', async () => {
  const services = '  a: { run: x, after: [b] }\n  b: { run: x, after: [a] }\n  c: { run: x, after: [c] }\n';
  const text = await told(services);
  expect(text.match(/wait for each other: .*/g)).toEqual([
    'wait for each other: a → b → a',
    'wait for each other: c → c',
  ]);
});

test('an order that exists is accepted, also when two ways lead to the same service', async () => {
  expect(
    await told(
      '  a: { run: x, after: [b, c] }\n  b: { run: x, after: [d] }\n  c: { run: x, after: [d] }\n  d: { run: x }\n',
    ),
  ).toBe('');
});
