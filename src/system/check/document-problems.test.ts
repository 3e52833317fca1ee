import { expect, test } from 'vitest';
import { messageOf } from '../../../test/harness/config-project.ts';

const seen = (yaml: string): Promise<string> => messageOf({ 'shakedown.yaml': yaml });

/** Where and what, one line per problem. */
async function briefly(yaml: string): Promise<string[]> {
  const problems = (await seen(yaml)).split('\n\n');
  return problems.map((problem) => {
    const [, code, at] = /^error\[(.+)\] ~\/shakedown\.yaml:(.+)$/m.exec(problem) ?? [];
    return `${at} ${code}: ${/^ {2}what {5}(.*)$/m.exec(problem)?.[1]}`;
  });
}

test('unknown keys at every level, with the nearest one', async () => {
  const yaml = `name: shop
services:
  web:
    run: [node, web.js]
    listen: { env: PORT, nam: x }
    redy: { http: /health }
trails: tests
whatever: 1
`;
  expect(await seen(yaml)).toMatchInlineSnapshot(`
    "error[config.unknown-key] ~/shakedown.yaml:5:26
      4 |     run: [node, web.js]
      5 |     listen: { env: PORT, nam: x }
        |                          ^^^
      what     \`nam\` is not a key of \`services.web.listen\`
      allowed  env, log, port, auto, name, scheme, hostHeader
      next     did you mean \`name\`?

    error[config.unknown-key] ~/shakedown.yaml:6:5
      5 |     listen: { env: PORT, nam: x }
      6 |     redy: { http: /health }
        |     ^^^^
      what     \`redy\` is not a key of \`services.web\`
      allowed  run, image, build, cwd, env, files, after, listen, ready, stop, shims, reset, at, entrypoint, command, mounts, user, hostname, platform, healthcheck, peers, memory, shm, privileged, capabilities, host, allow
      next     did you mean \`ready\`?

    error[config.unknown-key] ~/shakedown.yaml:7:1
      6 |     redy: { http: /health }
      7 | trails: tests
        | ^^^^^^
      what     \`trails\` is not a key of a config
      allowed  name, trials, requirements, resources, volumes, jobs, services, compose, replace, rosters, matrix, secrets, logs, gates, relays, edges, plugins, suite, boundaries, catalogue, isolation, settle, boot, teardown
      next     did you mean \`trials\`?

    error[config.unknown-key] ~/shakedown.yaml:8:1
      7 | trails: tests
      8 | whatever: 1
        | ^^^^^^^^
      what     \`whatever\` is not a key of a config
      allowed  name, trials, requirements, resources, volumes, jobs, services, compose, replace, rosters, matrix, secrets, logs, gates, relays, edges, plugins, suite, boundaries, catalogue, isolation, settle, boot, teardown
      next     remove \`whatever\`"
  `);
});

test('a missing key is reported at the key of its map', async () => {
  expect(await seen('services: { web: { listen: auto } }\n')).toMatchInlineSnapshot(`
    "error[config.missing-key] ~/shakedown.yaml:1:1
      1 | services: { web: { listen: auto } }
        | ^
      what     the config has no \`name\`
      allowed  \`name\`: a name of lower-case letters, digits and -, beginning with a letter, at most 40 long
      next     add \`name\`

    error[config.missing-key] ~/shakedown.yaml:1:13
      1 | services: { web: { listen: auto } }
        |             ^^^
      what     \`services.web\`: it has no \`run\`, no \`image\` and no \`build\`
      allowed  \`run: ['node', 'server.js']\`, \`image: postgres:18\` or \`build: ./folder\`
      next     add \`run\`, or one of the others for a container"
  `);
});

test('a misspelt key is not reported a second time as a missing one', async () => {
  const yaml =
    'name: a\nservices: { web: { rnu: x, listen: { evn: PORT }, ready: { htpp: / }, files: { a: { txt: b } } } }\n';
  expect(await briefly(yaml)).toEqual([
    '2:20 config.unknown-key: `rnu` is not a key of `services.web`',
    '2:38 config.unknown-key: `evn` is not a key of `services.web.listen`',
    '2:60 config.unknown-key: `htpp` is not a key of `services.web.ready`',
    '2:85 config.unknown-key: `txt` is not a key of `services.web.files.a`',
  ]);
});

test('values of the wrong kind', async () => {
  const yaml = `name: 5
trials: {}
services:
  web:
    run: [node, 8080]
    env: { A: null, B: [1] }
    ready: { tcp: true, within: 15 }
  none:
`;
  expect(await briefly(yaml)).toEqual([
    '1:7 config.wrong-type: `name` is 5, a number',
    '2:9 config.wrong-type: `trials` is {}, a map',
    '5:17 config.wrong-type: `services.web.run[1]` is 8080, a number',
    '6:15 config.wrong-type: `services.web.env.A` is empty',
    '6:24 config.wrong-type: `services.web.env.B` is [1], a list',
    '7:33 config.wrong-type: `services.web.ready.within` is 15, a number',
    '8:3 config.wrong-type: `services.none` is empty',
  ]);
});

test('a value of the wrong kind, with a correction', async () => {
  const yaml =
    'name: a\nservices:\n  web: { run: [8080], listen: 3000, after: db, ready: { tcp: true, within: 15 } }\n';
  expect(await seen(yaml)).toMatchInlineSnapshot(`
    "error[config.wrong-type] ~/shakedown.yaml:3:16
      2 | services:
      3 |   web: { run: [8080], listen: 3000, after: db, ready: { tcp: true, within: 15 } }
        |                ^^^^
      what     \`services.web.run[0]\` is 8080, a number
      allowed  a text; put quotes around a number
      next     put it in quotes: '8080'

    error[config.wrong-type] ~/shakedown.yaml:3:44
      2 | services:
      3 |   web: { run: [8080], listen: 3000, after: db, ready: { tcp: true, within: 15 } }
        |                                            ^^
      what     \`services.web.after\` is "db", a text
      allowed  a list of names
      next     write a list: [db]

    error[config.wrong-type] ~/shakedown.yaml:3:76
      2 | services:
      3 |   web: { run: [8080], listen: 3000, after: db, ready: { tcp: true, within: 15 } }
        |                                                                            ^^
      what     \`services.web.ready.within\` is 15, a number
      allowed  a duration such as \`250ms\`, \`15s\` or \`2m\`, at most \`24h\`
      next     write a unit after it: \`15s\` or \`15ms\`"
  `);
});

test('values that are not allowed', async () => {
  const yaml = `name: Shop
resources:
  pg: { kind: postgress }
  both: { kind: postgres, schemaPerService: true, databasePerService: true }
services:
  web:
    run: []
    stop: { signal: SIGTREM, within: 0s }
    reset: restrat
    listen: [{ port: 70000 }, { env: A, log: ":(\\\\d+)" }, {}, { log: "no group" }, { log: "(" }, aut]
    ready: { http: health, inARow: 0, every: fast }
  Api: { run: x }
  blank: { run: [''] }
  self: { run: x, files: { ../up: { text: a }, both: { text: a, template: b } } }
`;
  expect(await briefly(yaml)).toMatchInlineSnapshot(`
    [
      "1:7 config.bad-value: \`name\` is "Shop"",
      "3:15 config.bad-value: \`resources.pg.kind\` is "postgress"",
      "4:51 config.bad-value: \`resources.both.databasePerService\`: the resource has both \`schemaPerService\` and \`databasePerService\`",
      "7:10 config.bad-value: \`services.web.run\` is []",
      "8:21 config.bad-value: \`services.web.stop.signal\` is "SIGTREM"",
      "8:38 config.bad-value: \`services.web.stop.within\` is "0s"",
      "9:12 config.bad-value: \`services.web.reset\` is "restrat"",
      "10:22 config.bad-value: \`services.web.listen[0].port\` is 70000",
      "10:41 config.bad-value: \`services.web.listen[1].log\`: the listener has both \`env\` and \`log\`",
      "10:59 config.bad-value: \`services.web.listen[2]\`: the listener does not say how its port is chosen",
      "10:70 config.bad-pattern: \`services.web.listen[3].log\`: "no group" has 0 groups",
      "10:91 config.bad-pattern: \`services.web.listen[4].log\`: "(" is not a regular expression: Unterminated group",
      "10:98 config.bad-value: \`services.web.listen[5]\` is "aut"",
      "11:20 config.bad-value: \`services.web.ready.http\` is "health"",
      "11:36 config.bad-value: \`services.web.ready.inARow\` is 0",
      "11:46 config.bad-value: \`services.web.ready.every\` is "fast"",
      "12:3 config.bad-value: "Api" cannot be a name in \`services\`",
      "13:17 config.bad-value: \`services.blank.run\` is [""]",
      "14:3 config.bad-value: "self" cannot be a name in \`services\`",
    ]
  `);
});

test('a readiness condition is exactly one probe, with the keys that belong to it', async () => {
  const yaml = `name: a
services:
  none: { run: x, ready: { within: 5s } }
  two: { run: x, ready: { http: /, tcp: true } }
  stray: { run: x, ready: { log: up, status: 200, listener: main, firstBytes: x, send: y } }
  twice: { run: x, ready: { tcp: main, listener: main } }
  shake: { run: x, ready: { handshake: { codec: hex6-sexp } } }
  empty: { run: x, ready: { allOf: [] } }
  deep: { run: x, ready: { anyOf: [{ log: up }, { allOf: [{ hhtp: / }] }] } }
`;
  expect(await briefly(yaml)).toMatchInlineSnapshot(`
    [
      "3:19 config.bad-value: \`services.none.ready\`: the condition has no probe",
      "4:36 config.bad-value: \`services.two.ready.tcp\`: the condition has both \`http\` and \`tcp\`",
      "5:38 config.bad-value: \`services.stray.ready.status\`: \`status\` cannot be combined with \`log\`",
      "5:51 config.bad-value: \`services.stray.ready.listener\`: \`listener\` cannot be combined with \`log\`",
      "5:67 config.bad-value: \`services.stray.ready.firstBytes\`: \`firstBytes\` cannot be combined with \`log\`",
      "5:82 config.bad-value: \`services.stray.ready.send\`: \`send\` cannot be combined with \`log\`",
      "6:40 config.bad-value: \`services.twice.ready.listener\`: \`tcp\` names the listener already",
      "7:29 config.missing-key: \`services.shake.ready.handshake\` has no \`expect\`",
      "8:36 config.bad-value: \`services.empty.ready.allOf\` is []",
      "9:61 config.unknown-key: \`hhtp\` is not a key of \`services.deep.ready.anyOf[1].allOf[0]\`",
    ]
  `);
});

test('an allowance for every line would silence the log gate', async () => {
  const yaml = `name: a
services: { web: { run: x } }
logs:
  error: "[ERROR"
  allow:
    - { service: web, match: ".*", because: noise }
    - { service: wbe, match: "^WARN", because: noise }
    - { service: web, match: "^WARN" }
`;
  expect(await briefly(yaml)).toMatchInlineSnapshot(`
    [
      "4:10 config.bad-pattern: \`logs.error\`: "[ERROR" is not a regular expression: Unterminated character class",
      "6:30 config.bad-pattern: \`logs.allow[0].match\` is ".*"",
      "8:7 config.missing-key: \`logs.allow[2]\` has no \`because\`",
    ]
  `);
});

test('gates, budgets and secrets are closed, too', async () => {
  const yaml = `name: a
gates: { pr: { skips: never, prioritty: [p0] } }
boot: { within: 90 }
teardown: { withn: 20s }
secrets: [A-B]
`;
  expect(await briefly(yaml)).toMatchInlineSnapshot(`
    [
      "2:23 config.bad-value: \`gates.pr.skips\` is "never"",
      "2:30 config.unknown-key: \`prioritty\` is not a key of \`gates.pr\`",
      "3:17 config.wrong-type: \`boot.within\` is 90, a number",
      "4:13 config.unknown-key: \`withn\` is not a key of \`teardown\`",
      "5:11 config.bad-value: \`secrets[0]\` is "A-B"",
    ]
  `);
});
