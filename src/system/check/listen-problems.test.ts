import { expect, test } from 'vitest';
import { loadProject, messageOf, serviceOf } from '../../../test/harness/config-project.ts';

const seen = (services: string): Promise<string> =>
  messageOf({ 'shakedown.yaml': `name: a\nservices:\n${services}` });

/** Where and what of each problem. */
async function briefly(services: string): Promise<string[]> {
  const problems = (await seen(services)).split('\n\n');
  return problems.map(
    (problem) => `${/yaml:(\S+)/.exec(problem)?.[1]} ${/^ {2}what {5}(.*)$/m.exec(problem)?.[1]}`,
  );
}

test('listeners of one service that contradict each other', async () => {
  const services = `  web:
    run: x
    listen: [{ env: PORT }, auto, { env: PORT, name: main }]
    env: { PORT: 80 }
`;
  expect(await briefly(services)).toEqual([
    '5:29 only the first listener of a service may be without a `name`',
    '5:42 two listeners set their port in PORT',
    '5:54 two listeners of the service are called `main`',
    '6:18 `listen` puts the port into PORT, and `env` sets it too',
  ]);
});

test('a header for a listener that does not speak HTTP', async () => {
  expect(await briefly('  a: { run: x, listen: { env: P, scheme: tcp, hostHeader: own } }\n')).toEqual([
    '3:59 a listener that speaks tcp gets no `Host` of ours',
  ]);
});

test('one fixed port for two services', async () => {
  expect(
    await briefly(
      '  a: { run: x, listen: { port: 80 } }\n  b: { run: x, listen: [auto, { port: 80, name: c }] }\n',
    ),
  ).toEqual(['4:39 `a` and `b` both listen on 80']);
});

test('a readiness condition asks a listener that exists', async () => {
  const services = `  mute: { run: x, ready: { http: / } }
  web: { run: x, listen: auto, ready: { anyOf: [{ tcp: admin }, { http: /, listener: mian }] } }
`;
  expect(await briefly(services)).toEqual([
    '3:28 `http` needs a port, and `mute` has no `listen`',
    '4:56 `web` has no listener `admin`',
    '4:86 `web` has no listener `mian`',
  ]);
});

test('an invalid pattern is reported at its operator', async () => {
  const text = await seen(
    '  web: { run: x, listen: auto, ready: { http: /, json: { ok: { $anny: [1] } } } }\n',
  );
  expect(text).toContain('error[config.bad-pattern] ~/shakedown.yaml:3:64\n');
  expect(text).toContain('next     did you mean `$any`?');
  const expected = await seen(
    '  web: { run: x, listen: auto, ready: { handshake: { codec: c, expect: { $nott: 1 } } } }\n',
  );
  expect(expected).toContain('error[config.bad-pattern] ~/shakedown.yaml:3:74\n');
});

test('how the port of each listener is chosen', async () => {
  const yaml = `name: a
services:
  web:
    run: x
    listen:
      - env: PORT
      - { log: 'admin on (\\d+)', name: admin }
      - { port: 8100, name: fixed, scheme: tcp }
      - { port: 8101, name: picky, hostHeader: own }
      - { auto: true, name: chosen }
  one: { run: x, listen: auto }
`;
  const system = await loadProject({ 'shakedown.yaml': yaml });
  expect(serviceOf(system, 'web').listen).toEqual([
    { name: 'main', scheme: 'http', how: { by: 'env', variable: 'PORT' } },
    { name: 'admin', scheme: 'http', how: { by: 'log', pattern: 'admin on (\\d+)' } },
    { name: 'fixed', scheme: 'tcp', how: { by: 'fixed', port: 8100 } },
    { name: 'picky', scheme: 'http', hostHeader: 'own', how: { by: 'fixed', port: 8101 } },
    { name: 'chosen', scheme: 'http', how: { by: 'reference' } },
  ]);
  expect(serviceOf(system, 'one').listen).toEqual([
    { name: 'main', scheme: 'http', how: { by: 'reference' } },
  ]);
});
