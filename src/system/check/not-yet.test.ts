import { expect, test } from 'vitest';
import { messageOf } from '../../../test/harness/config-project.ts';

test('an unsupported feature is refused with an alternative, and nothing else is reported about it', async () => {
  const yaml = `name: a
resources:
  llm: { kind: model, mode: script }
  cache: { kind: redis }
  db: { kind: postgres, image: "postgres:17" }
services:
  web: { image: nginx }
  api: { run: x, compose: { file: a.yml }, redy: 1 }
rosters:
  all: { each: '*.toml', name: x, service: { image: nginx } }
`;
  expect(await messageOf({ 'shakedown.yaml': yaml })).toMatchInlineSnapshot(`
    "error[config.not-yet] ~/shakedown.yaml:4:18
      3 |   llm: { kind: model, mode: script }
      4 |   cache: { kind: redis }
        |                  ^^^^^
      what     \`resources.cache\` has the kind \`redis\`, which comes in a later version
      allowed  postgres, model, http, telemetry
      next     run redis as a service, and give its \`\${name.url}\` to the others

    error[config.not-yet] ~/shakedown.yaml:5:25
      4 |   cache: { kind: redis }
      5 |   db: { kind: postgres, image: "postgres:17" }
        |                         ^^^^^
      what     \`resources.db.image\`: containers come in a later version
      allowed  the embedded server, or \`url\`
      next     leave it out for the embedded server, or give the \`url\` of yours

    error[config.not-yet] ~/shakedown.yaml:7:10
      6 | services:
      7 |   web: { image: nginx }
        |          ^^^^^
      what     \`services.web.image\`: containers come in a later version
      allowed  \`run\`
      next     start the program itself: \`run: ['…']\`

    error[config.not-yet] ~/shakedown.yaml:8:18
      7 |   web: { image: nginx }
      8 |   api: { run: x, compose: { file: a.yml }, redy: 1 }
        |                  ^^^^^^^
      what     \`services.api.compose\`: containers come in a later version
      allowed  \`run\`
      next     start the program itself: \`run: ['…']\`

    error[config.unknown-key] ~/shakedown.yaml:8:44
      7 |   web: { image: nginx }
      8 |   api: { run: x, compose: { file: a.yml }, redy: 1 }
        |                                            ^^^^
      what     \`redy\` is not a key of \`services.api\`
      allowed  run, cwd, env, files, after, listen, ready, stop, shims, reset
      next     did you mean \`ready\`?

    error[config.not-yet] ~/shakedown.yaml:10:46
       9 | rosters:
      10 |   all: { each: '*.toml', name: x, service: { image: nginx } }
         |                                              ^^^^^
      what     \`rosters.all.service.image\`: containers come in a later version
      allowed  \`run\`
      next     start the program itself: \`run: ['…']\`"
  `);
});
