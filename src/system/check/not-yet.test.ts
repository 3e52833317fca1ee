import { expect, test } from 'vitest';
import { messageOf } from '../../../test/harness/config-project.ts';

test('an unsupported feature is refused with an alternative, and nothing else is reported about it', async () => {
  const yaml = `name: a
resources:
  llm: { kind: model, mode: script }
  cache: { kind: objects }
  db: { kind: postgres, compose: a.yml }
services:
  web: { compose: a.yml }
  api: { run: x, compose: { file: a.yml }, redy: 1 }
rosters:
  all: { each: '*.toml', name: x, service: { compose: a.yml } }
`;
  expect(await messageOf({ 'shakedown.yaml': yaml })).toMatchInlineSnapshot(`
    "error[config.not-yet] ~/shakedown.yaml:4:18
      3 |   llm: { kind: model, mode: script }
      4 |   cache: { kind: objects }
        |                  ^^^^^^^
      what     \`resources.cache\` has the kind \`objects\`, which comes in a later version
      allowed  postgres, redis, sqlite, model, http, telemetry
      next     run an object store of yours as a service, and give its \`\${name.url}\` to the others

    error[config.not-yet] ~/shakedown.yaml:5:25
      4 |   cache: { kind: objects }
      5 |   db: { kind: postgres, compose: a.yml }
        |                         ^^^^^^^
      what     \`resources.db.compose\`: compose files are read as a whole, beside \`services\`: \`compose: FILE\`, and \`replace\`
      allowed  the embedded server, \`image\` or \`url\`
      next     leave it out for the embedded server, or give an \`image\` or the \`url\` of yours

    error[config.not-yet] ~/shakedown.yaml:7:10
      6 | services:
      7 |   web: { compose: a.yml }
        |          ^^^^^^^
      what     \`services.web.compose\`: compose files are read as a whole, beside \`services\`: \`compose: FILE\`, and \`replace\`
      allowed  \`run\`, \`image\` or \`build\`
      next     start the program itself: \`run: ['…']\`, or its \`image\`

    error[config.not-yet] ~/shakedown.yaml:8:18
      7 |   web: { compose: a.yml }
      8 |   api: { run: x, compose: { file: a.yml }, redy: 1 }
        |                  ^^^^^^^
      what     \`services.api.compose\`: compose files are read as a whole, beside \`services\`: \`compose: FILE\`, and \`replace\`
      allowed  \`run\`, \`image\` or \`build\`
      next     start the program itself: \`run: ['…']\`, or its \`image\`

    error[config.unknown-key] ~/shakedown.yaml:8:44
      7 |   web: { compose: a.yml }
      8 |   api: { run: x, compose: { file: a.yml }, redy: 1 }
        |                                            ^^^^
      what     \`redy\` is not a key of \`services.api\`
      allowed  run, image, build, cwd, env, files, after, listen, ready, stop, shims, reset, at, entrypoint, command, mounts, user, hostname, platform, healthcheck, peers, memory, shm, privileged, capabilities, host, allow
      next     did you mean \`ready\`?

    error[config.not-yet] ~/shakedown.yaml:10:46
       9 | rosters:
      10 |   all: { each: '*.toml', name: x, service: { compose: a.yml } }
         |                                              ^^^^^^^
      what     \`rosters.all.service.compose\`: compose files are read as a whole, beside \`services\`: \`compose: FILE\`, and \`replace\`
      allowed  \`run\`, \`image\` or \`build\`
      next     start the program itself: \`run: ['…']\`, or its \`image\`"
  `);
});
