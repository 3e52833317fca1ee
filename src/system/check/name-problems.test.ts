import { expect, test } from 'vitest';
import { messageOf } from '../../../test/harness/config-project.ts';

test('one name for two things, with both positions', async () => {
  const yaml = `name: a
resources: { db: { kind: postgres } }
jobs: { web: { run: x } }
services:
  web: { run: x }
  db: { run: x }
`;
  expect(await messageOf({ 'shakedown.yaml': yaml })).toMatchInlineSnapshot(`
    "error[config.duplicate-name] ~/shakedown.yaml:5:3
      4 | services:
      5 |   web: { run: x }
        |   ^^^
      what     \`web\` is a service here and a job at shakedown.yaml:3:9
      allowed  one name for one thing, among resources, volumes, jobs, services and rosters together
      next     rename one of the two

    error[config.duplicate-name] ~/shakedown.yaml:6:3
      5 |   web: { run: x }
      6 |   db: { run: x }
        |   ^^
      what     \`db\` is a service here and a resource at shakedown.yaml:2:14
      allowed  one name for one thing, among resources, volumes, jobs, services and rosters together
      next     rename one of the two"
  `);
});

test('a member of a roster that has the name of another service', async () => {
  const yaml = `name: a
services: { health: { run: x } }
rosters: { butlers: { each: "*/b.toml", name: "\${it.name}", service: { run: x } } }
`;
  const files = {
    'shakedown.yaml': yaml,
    'a/b.toml': 'name = "health"\n',
    'b/b.toml': 'title = "b"\nname = "other"\n',
    'c/b.toml': 'title = "c"\nname = "other"\n',
  };
  expect(await messageOf(files)).toMatchInlineSnapshot(`
    "error[config.duplicate-name] ~/a/b.toml:1:9
      1 | name = "health"
        |         ^^^^^^
      what     \`health\` is a service of the roster \`butlers\` here and a service at shakedown.yaml:2:13
      allowed  one name for one thing, among resources, volumes, jobs, services and rosters together
      next     rename one of the two

    error[config.duplicate-name] ~/c/b.toml:2:9
      1 | title = "c"
      2 | name = "other"
        |         ^^^^^
      what     \`other\` is a service of the roster \`butlers\` here and a service of the roster \`butlers\` at b/b.toml:2:9
      allowed  one name for one thing, among resources, volumes, jobs, services and rosters together
      next     rename one of the two"
  `);
});
