import { Client } from 'pg';
import { expect, test } from 'vitest';
import { createRandom } from '../../kernel/random.ts';
import { resourceKinds } from '../../kinds/resource-kinds.ts';
import { planLayout } from './plan-layout.ts';
import { referencesOf } from './references-of.ts';

const chef = { kind: 'service', name: 'chef' } as const;
const migrate = { kind: 'job', name: 'migrate' } as const;
const layout = planLayout({
  share: 'schema-per-service',
  prefix: '',
  consumers: [chef, { kind: 'service', name: 'home-keeper' }, migrate],
  random: createRandom('seed'),
});
const admin = { user: 'ad min', password: 'p@ss/w:rd?#%ü&=,', database: 'my db' };

test('whatever is in a user, a password or a database survives a round trip through the url', () => {
  const { adminUrl } = referencesOf({ layout, admin, urlParameters: { sslmode: 'disable' } }, chef, {
    host: 'h',
    port: 1,
  });
  const client = new Client({ connectionString: adminUrl });
  expect([client.user, client.password, client.database, client.host, client.port]).toEqual([
    admin.user,
    admin.password,
    admin.database,
    'h',
    1,
  ]);
});

test('an IPv6 address gets its brackets, and parameters follow', () => {
  const references = referencesOf(
    { layout, admin, urlParameters: { sslmode: 'verify-ca', sslrootcert: '/a b' } },
    chef,
    {
      host: '::1',
      port: 5433,
    },
  );
  expect(references.url).toMatch(
    /^postgresql:\/\/chef:[0-9a-f]{32}@\[::1\]:5433\/main\?sslmode=verify-ca&sslrootcert=%2Fa%20b$/,
  );
  expect(references.jdbcUrl).toMatch(
    /^jdbc:postgresql:\/\/\[::1\]:5433\/main\?user=chef&password=[0-9a-f]{32}&sslmode=verify-ca/,
  );
  expect(references.host).toBe('::1');
});

test('jobs come as the owner, services as themselves, and unannounced consumers as the owner', () => {
  const address = { host: '127.0.0.1', port: 1 };
  const source = { layout, admin, urlParameters: {} };
  const users = [migrate, chef, { kind: 'service', name: 'stranger' } as const].map(
    (consumer) => referencesOf(source, consumer, address).user,
  );
  expect(users).toEqual(['owner', 'chef', 'owner']);
  expect(Object.keys(referencesOf(source, chef, address)).sort()).toEqual(
    [...resourceKinds.postgres.references].sort(),
  );
});

test('the same seed gives the same passwords, another consumer another one', () => {
  const again = planLayout({
    share: 'schema-per-service',
    prefix: '',
    consumers: [chef],
    random: createRandom('seed'),
  });
  expect(again.owner.password).toBe(layout.owner.password);
  const passwords = [layout.owner, ...layout.services.values()].map(({ password }) => password);
  expect(new Set(passwords).size).toBe(3);
});
