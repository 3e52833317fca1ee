/** Values of a real PostgreSQL in binary form: each is what its text form is, or is not known. */
import type { Socket } from 'node:net';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { startUsersServer, type UsersServer } from '../../../test/conformance/postgres-variants.ts';
import { execute, frame, int16, int32, query, sync, text } from '../../../test/harness/postgres-wire.ts';
import { tappedClient } from '../../../test/harness/tapped-store.ts';
import { isMap } from '../../kernel/is-map.ts';
import { isNotKept } from '../../kernel/not-kept.ts';

let server: UsersServer;
beforeAll(async () => {
  server = await startUsersServer();
});
afterAll(() => server.close());

/** As results in both forms. */
async function bothForms(statement: string): Promise<readonly (readonly unknown[])[]> {
  const { client, calls } = await tappedClient(server);
  await client.query({ text: statement, binary: false } as never);
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.removeAllListeners('data');
  stream.resume();
  const binary = frame('B', text(''), text(''), int16(0, 0, 1, 1));
  const ask = [frame('P', text(''), text(statement), int16(0)), binary];
  stream.write(Buffer.concat([...ask, frame('D', Buffer.from('P\0')), execute, sync]));
  await vi.waitUntil(() => calls.length === 2, { timeout: 5_000 });
  return calls.map(({ result }) => {
    const [row] = (isMap(result) ? result.rows : []) as readonly Record<string, unknown>[];
    return Object.values(row ?? {});
  });
}

const same = [
  ...['10.1.2.3', '10.1.2.3/8', '0.0.0.0/0', '::', '::1', '::1/128', '2001:db8::1/64'].map(
    (one) => `'${one}'::inet`,
  ),
  ...['1:0:0:2:0:0:0:3', '::ffff:1.2.3.4', '::1.2.3.4', '1:2:3:4:5:6:7:8', '1::', '0:1::'].map(
    (one) => `'${one}'::inet`,
  ),
  ...["'10.0.0.0/8'::cidr", "'10.1.2.3'::cidr", "'2001:db8::/32'::cidr", "'::1'::cidr"],
  ...["'08:00:2b:01:02:03'::macaddr", "'08:00:2b:01:02:03:04:05'::macaddr8", "'1/ABCDEF01'::pg_lsn"],
  ...["'7'::xid", "'7'::cid", "'18446744073709551615'::xid8", "'1633837924'::xid", '42::oid'],
  ...["b'101'", "b'0110'::varbit(9)", "''::varbit", "b'101010101'"],
  ...["'(1.5,-2)'::point", "'(0,1e-4)'::point", "'(NaN,-Infinity)'::point", "'(-0,123456789012345)'::point"],
  ...["'$.a[*]'::jsonpath", "'<a/>'::xml", "'abc'::name", '\'c\'::"char"', "'one'::refcursor"],
  ...["array['10.0.0.1', '::1']::inet[]", "array['10.0.0.0/8']::cidr[]", "'{{1,2},{3,null}}'::int[]"],
  ...["array['08:00:2b:01:02:03']::macaddr[]", "array['08:00:2b:01:02:03:04:05']::macaddr8[]"],
  ...["array['a']::name[]", 'array[\'a\']::"char"[]', 'array[1, 2]::oid[]', "array['7']::xid[]"],
  ...["array['(1,2)']::point[]", "array[b'1']::bit[]", "array[b'1']::varbit[]", "array['<a/>']::xml[]"],
  ...["array['7']::xid8[]", "array['7']::cid[]", "array['$.a']::jsonpath[]", "array['one']::refcursor[]"],
  ...["array['1/2']::pg_lsn[]", "'hello'::bytea", "array['hello']::bytea[]"],
];

test('in binary form, a value is what it is as text', async () => {
  const [asText, asBinary] = await bothForms(
    `select ${same.map((one, at) => `${one} as c${at}`).join(', ')}`,
  );
  expect(asBinary).toHaveLength(same.length);
  expect(asBinary?.map((value, at) => [same[at], value])).toEqual(
    asText?.map((value, at) => [same[at], value]),
  );
});

const unread = [
  ...["'pg_class'::regclass", '16.50::money', "'[1,5)'::int4range", "'a & b'::tsquery", "row(1, 'a')"],
  ...["'(1e20,1e-9)'::point", 'array[1.5::money]', "'((0,0),(1,1))'::box", "'(0,1)'::tid"],
];

test('one that is not read is unknown', async () => {
  const [, asBinary] = await bothForms(`select ${unread.map((one, at) => `${one} as c${at}`).join(', ')}`);
  expect(asBinary?.map((value, at) => [unread[at], isNotKept(value)])).toEqual(
    unread.map((one) => [one, true]),
  );
});

test('a parameter has the type that the server says, and without one it is unknown', async () => {
  const { client, calls } = await tappedClient(server);
  await client.query('create domain pg_temp.code as int; create temp table t (c pg_temp.code, b bytea)');
  const { rows } = await client.query("select 'pg_temp.code'::regtype::oid as oid");
  const { stream } = (client as unknown as { connection: { stream: Socket } }).connection;
  stream.removeAllListeners('data');
  stream.resume();
  const values = [Buffer.from('abcd'), Buffer.from('hello')];
  const parse = (type: number): Buffer =>
    frame('P', text(''), text('insert into t values ($1, $2)'), int16(1), int32(type));
  const bind = frame(
    ...['B' as const, text(''), text(''), int16(1, 1, 2)],
    ...values.flatMap((value) => [int32(value.length), value]),
    int16(0),
  );
  const describe = frame('D', Buffer.from('S'), text(''));
  stream.write(Buffer.concat([parse(Number(rows[0].oid)), describe, bind, execute, sync]));
  stream.write(Buffer.concat([parse(23), describe, bind, execute, sync]));
  stream.write(Buffer.concat([parse(0), bind, execute, sync, query("select 'last'")]));
  await vi.waitUntil(() => calls.at(-1)?.statement === "select 'last'", { timeout: 5_000 });
  const params = calls.filter(({ method }) => method === 'INSERT').map((call) => call.params);
  const unknown = { $dropped: {} };
  expect(params).toMatchObject([
    [unknown, '\\x68656c6c6f'],
    [1_633_837_924, '\\x68656c6c6f'],
    [unknown, unknown],
  ]);
});
