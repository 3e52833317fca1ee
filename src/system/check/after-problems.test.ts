import { expect, test } from 'vitest';
import { messageOf } from '../../../test/harness/config-project.ts';

const seen = (services: string): Promise<string> =>
  messageOf({ 'shakedown.yaml': `name: a\nresources: { db: { kind: postgres } }\nservices:\n${services}` });

test('an unknown name, with the nearest one', async () => {
  expect(await seen('  web: { run: x, after: [db, apii] }\n  api: { run: x }\n')).toMatchInlineSnapshot(`
    "error[config.unknown-name] ~/shakedown.yaml:4:30
      3 | services:
      4 |   web: { run: x, after: [db, apii] }
        |                              ^^^^
      what     unknown name \`apii\`
      allowed  db, web, api
      next     did you mean \`api\`?"
  `);
});

test('a cycle, with its members in order', async () => {
  const services =
    '  web: { run: x, after: [db, api] }\n  api: { run: x, after: [auth] }\n  auth: { run: x, after: [web] }\n  top: { run: x, after: [web] }\n';
  expect(await seen(services)).toMatchInlineSnapshot(`
    "error[config.dependency-cycle] ~/shakedown.yaml:4:30
      3 | services:
      4 |   web: { run: x, after: [db, api] }
        |                              ^^^
      what     these wait for each other: web → api → auth → web
      allowed  an order in which each can start
      next     remove one of these \`after\`; an address such as \`\${name.url}\` is known without waiting"
  `);
});

test('two separate cycles are two problems, and one that waits for itself is a cycle', async () => {
  const services = '  a: { run: x, after: [b] }\n  b: { run: x, after: [a] }\n  c: { run: x, after: [c] }\n';
  const text = await seen(services);
  expect(text.match(/wait for each other: .*/g)).toEqual([
    'wait for each other: a → b → a',
    'wait for each other: c → c',
  ]);
});

test('an acyclic order is accepted, also when two paths lead to the same service', async () => {
  expect(
    await seen(
      '  a: { run: x, after: [b, c] }\n  b: { run: x, after: [d] }\n  c: { run: x, after: [d] }\n  d: { run: x }\n',
    ),
  ).toBe('');
});
