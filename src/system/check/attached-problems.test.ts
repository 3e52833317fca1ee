import { expect, test } from 'vitest';
import { loadProject, messageOf, serviceOf } from '../../../test/harness/config-project.ts';

const config = (api: string, rest = ''): { 'shakedown.yaml': string } => ({
  'shakedown.yaml': `name: staging\nservices:\n  api: ${api}\n${rest}`,
});

test('an address, and how it is called', async () => {
  const system = await loadProject(
    config(
      '{ at: { main: "https://user:${env.PW}@127.0.0.1:8443", db: "postgres://localhost/app" }, ready: { tcp: true } }',
    ),
    { PW: 'hunter2hunter2' },
  );
  const { listen, attached, run } = serviceOf(system, 'api');
  expect({ listen, attached, run }).toEqual({
    listen: [
      {
        name: 'main',
        scheme: 'http',
        hostHeader: 'own',
        how: { by: 'at', at: 'https://user:${env.PW}@127.0.0.1:8443' },
      },
      { name: 'db', scheme: 'postgres', how: { by: 'at', at: 'postgres://localhost/app' } },
    ],
    attached: { allow: {} },
    run: [],
  });
  expect(system).toMatchObject({ isolation: 'shared', secrets: ['PW'] });
});

test.each([
  ['{ at: "http://localhost:80", run: [node] }', 'both `at` and `run`', 'remove `run`, or `at`'],
  ['{ at: "http://localhost:80", image: "a:1" }', 'both `at` and `image`'],
  ['{ at: "http://localhost:80", build: . }', 'both `at` and `build`'],
  ['{ at: "http://localhost:80", env: { A: b } }', 'both `at` and `env`'],
  ['{ at: "http://localhost:80", listen: { port: 80 } }', 'both `at` and `listen`'],
  ['{ at: "http://localhost:80", reset: { http: POST /reset } }', 'both `at` and `reset`'],
  ['{ at: "http://localhost:80", stop: { within: 1s } }', 'both `at` and `stop`'],
  ['{ at: "http://localhost:80", ready: { anyOf: [{ log: up }] } }', '`log` looks at the program'],
  ['{ at: "ftp://localhost" }', 'begins with http://, https://'],
  ['{ at: "${self.url}" }', 'begins with http://'],
  ['{ at: "${env.DB}" }', 'comes from a variable as a whole, and does not begin with http://'],
  ['{ at: "${env.LOGIN}" }', 'the variable holds a login, and is not declared as a secret'],
  ['{ at: "${env.TOKEN}" }', 'the variable holds a login, and is not declared as a secret'],
  ['{ at: "http://you:${env.SLASH}@localhost:80" }', 'holds `/`, `?` or `#`', 'encodeURIComponent'],
  ['{ at: "${env.QUERY}" }', 'goes on with a path, "/" and what follows it, which is not shown'],
  ['{ at: "tcp://localhost" }', 'has no host or no port'],
  ['{ at: "http://localhost:99999" }', 'has no host or no port'],
  ['{ at: "http://${self.port}:80" }', 'is a part of this system'],
  ['{ at: "http://localhost:80/base" }', 'goes on with a path, "/base"'],
  ['{ at: "http://localhost:${env.NONE}" }', 'the environment variable NONE is not set'],
  ['{ at: {} }', 'at least one address'],
  ['{ at: "http://10.0.0.7:80" }', '10.0.0.7 is not on this machine', "allow: { '10.0.0.7:80': "],
  ['{ at: "http://10.0.0.7:80", allow: { "10.0.0.7:81": the staging gateway } }', '10.0.0.7 is not on this'],
  ['{ at: "http://10.0.0.7:80", allow: { "10.0.0.7": because } }', 'a reason of at least 10 characters'],
  ['{ at: "http://localhost:80", allow: { "0.0.0.0/0": everything is fine } }', 'is nearly everything'],
  ['{ at: "http://localhost:80", allow: { "169.254.169.254": it knows a lot } }', 'is never reached'],
  ['{ at: "http://localhost:80", allow: { "a b": it knows a lot } }', 'is no host, address or network'],
  ['{ run: [node], allow: { "10.0.0.7": the staging gateway } }', '"10.0.0.7" cannot be allowed here'],
  ['{ image: "a:1", allow: { privilged: mounts file systems } }', 'did you mean `privileged`?'],
])('%s is refused', async (api, ...words) => {
  const message = await messageOf(config(api), {
    DB: 'postgres://localhost/a',
    LOGIN: 'http://me:hunter2hunter2@localhost:80',
    TOKEN: 'http://hunter2hunter2@localhost:80',
    SLASH: 'hunter2/hunter2',
    QUERY: 'http://localhost:80/?token=hunter2',
  });
  for (const word of words) expect(message).toContain(word);
  expect(message).not.toContain('hunter2');
});

test.each(['169.254.169.254', '2852039166', '[::ffff:169.254.1.1]', '[fe80::1]', '0.0.0.0', '0xa9fea9fe'])(
  '%s is refused, whatever is allowed',
  async (host) => {
    const message = await messageOf(
      config(`{ at: "http://${host}:80", allow: { "169.0.0.0/8": the staging gateway } }`),
    );
    expect(message).toContain('and never reached');
    expect(message).toContain('this one cannot be allowed');
    expect(message).not.toContain('add `allow');
  },
);

test.each([
  ['10.0.0.7:80', '"10.0.0.7:80"'],
  ['10.0.0.7:80', '10.0.0.7'],
  ['10.0.0.7:80', '10.0.0.0/24'],
  ['[2001:db8::7]:80', '"[2001:db8::7]:80"'],
  ['[2001:db8::7]:80', '"2001:db8::/32"'],
])('%s is allowed by %s', async (host, entry) => {
  const api = `{ at: "http://${host}", allow: { ${entry}: the staging gateway } }`;
  expect(await messageOf(config(api))).toBe('');
});

test('a password in the address is refused, and not shown', async () => {
  const message = await messageOf(config('{ at: "http://me:hunter2hunter2@localhost:80" }'));
  expect(message).toContain('a password stands in the address');
  expect(message).not.toContain('hunter2');
  const other = await messageOf(config('{ at: "http://me:${env.PW:-hunter2hunter2}@localhost:80", rum: 1 }'));
  expect(other).toContain('did you mean `run`');
  expect(other).not.toContain('hunter2');
});

test('an address from a variable, also with a login that is declared as secret', async () => {
  const env = { URL: 'https://me:hunter2hunter2@localhost:8443' };
  const system = await loadProject(config('{ at: "${env.URL}" }', 'secrets: [URL]\n'), env);
  expect(serviceOf(system, 'api').listen).toMatchObject([{ scheme: 'http', hostHeader: 'own' }]);
  const fallback = await messageOf(config('{ at: "${env.NONE:-http://me:hunter2hunter2@localhost:80}" }'));
  expect(fallback).toContain('a password stands in the address');
  expect(fallback).not.toContain('hunter2');
});

test('only shared', async () => {
  const message = await messageOf(config('{ at: "http://localhost:80" }', 'isolation: fresh\n'));
  expect(message).toContain('`isolation` is "fresh", and `api` is somebody else\'s');
});
