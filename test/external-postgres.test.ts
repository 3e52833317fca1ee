import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { endIfThere, makeProject, type Project, signalIfThere } from './harness/project.ts';
import { isNothing, nothing, until } from './harness/until.ts';

/** Names of databases and roles on the server that are not its own. */
async function foreignNames(url: string): Promise<readonly string[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ name: string }>(
      "SELECT datname AS name FROM pg_database WHERE datname LIKE 'shk%' UNION SELECT rolname FROM pg_roles WHERE rolname LIKE 'shk%'",
    );
    return rows.map(({ name }) => name);
  } finally {
    await client.end();
  }
}

/** A database server that represents the team's own. */
async function startTheirs(): Promise<{ theirs: Project; url: string }> {
  const theirs = makeProject({ 'shakedown.yaml': 'name: theirs\nresources: { db: { kind: postgres } }\n' });
  const up = await theirs.run(['up', '--detach']);
  expect(up.code, up.output).toBe(0);
  const status = JSON.parse((await theirs.run(['status', '--json'])).stdout);
  return { theirs, url: status.resources[0].url };
}

const system = `name: guest
resources: { db: { kind: postgres, url: "\${env.THEIR_DATABASE}", schemaPerService: true } }
services: { web: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { DATABASE_URL: "\${db.url}" } } }
`;

test('on a server of the user’s only labelled databases and roles are created, and removed again', async () => {
  const { theirs, url } = await startTheirs();
  const guest = makeProject({ 'shakedown.yaml': system });
  const env = { THEIR_DATABASE: url };
  const up = await guest.run(['up', '--detach'], { env });
  expect(up.code, up.output).toBe(0);
  const made = await foreignNames(url);
  expect(made.length).toBeGreaterThanOrEqual(2);
  const down = await guest.run(['down'], { env });
  expect(down.code, down.output).toBe(0);
  expect(await foreignNames(url)).toEqual([]);
  expect((await theirs.run(['down'])).code).toBe(0);
});

test('after a crash of all our processes, the next command removes them', async () => {
  const { theirs, url } = await startTheirs();
  const guest = makeProject({ 'shakedown.yaml': system });
  const env = { THEIR_DATABASE: url };
  expect((await guest.run(['up', '--detach', '--containment', 'ledger'], { env })).code).toBe(0);
  expect(await foreignNames(url)).not.toEqual([]);
  const ours = guest.left().processes;
  // Stopped first, or the guard would sweep after the keeper.
  for (const { pid } of ours) signalIfThere(pid, 'SIGSTOP');
  for (const { pid } of ours) endIfThere(pid);
  await until(
    'all of ours are gone',
    5_000,
    () => guest.left().processes,
    (left) => left.length === 0,
  );
  const status = await guest.run(['status']);
  const without = await guest.run(['down']);
  expect(without.code, without.output).toBe(7);
  for (const { stderr } of [status, without])
    expect(stderr.match(/still there: postgres shk/g)).toHaveLength(1);
  const down = await guest.run(['down'], { env });
  expect(down.code, down.output).toBe(0);
  expect(await foreignNames(url)).toEqual([]);
  expect(guest.left()).toEqual(nothing);
  await theirs.run(['down']);
  expect(isNothing(theirs.left())).toBe(true);
});

/** A way to the server that can be closed, and opened again at the same port. */
async function openWayTo(url: string): Promise<{ url: string; close(): void; reopen(): Promise<void> }> {
  const open = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(Number(new URL(url).port), '127.0.0.1');
    for (const socket of [client, upstream]) open.add(socket.on('error', () => socket.destroy()));
    client.pipe(upstream).pipe(client);
  });
  const listen = async (port: number): Promise<void> =>
    void (await once(server.listen(port, '127.0.0.1'), 'listening'));
  const close = (): void => {
    server.close();
    for (const socket of open) socket.destroy();
  };
  await listen(0);
  onTestFinished(close);
  const { port } = server.address() as AddressInfo;
  return { url: url.replace(/:\d+\//, `:${port}/`), close, reopen: () => listen(port) };
}

test('a boot that fails on a server that then refuses the clean-up leaves only what a later command finds again', async () => {
  const { theirs, url } = await startTheirs();
  const way = await openWayTo(url);
  const fails = `${system}jobs: { cut: { run: [sh, -c, "echo cut > cut; while test -e cut; do sleep 0.02; done; exit 1"], env: { DATABASE_URL: "\${db.url}" } } }\n`;
  const guest = makeProject({ 'shakedown.yaml': fails });
  const env = { THEIR_DATABASE: way.url };
  const up = guest.run(['up', '--detach'], { env });
  const cut = path.join(guest.folder, 'cut');
  await until('the job runs', 20_000, () => existsSync(cut), Boolean);
  way.close();
  rmSync(cut);
  const { code, output } = await up;
  expect(code, output).toBe(3);
  expect(output).toContain('left behind');
  await way.reopen();
  expect(await foreignNames(url)).not.toEqual([]);
  await guest.run(['down'], { env });
  expect(await foreignNames(url)).toEqual([]);
  expect(guest.left()).toEqual(nothing);
  await theirs.run(['down']);
});

test('a server that does not answer in the moment of the teardown is cleared by the next command that reaches it', async () => {
  const { theirs, url } = await startTheirs();
  const way = await openWayTo(url);
  const guest = makeProject({ 'shakedown.yaml': system });
  const env = { THEIR_DATABASE: way.url };
  const up = await guest.run(['up', '--detach'], { env });
  expect(up.code, up.output).toBe(0);
  way.close();
  const down = await guest.run(['down'], { env });
  expect(down.code, down.output).not.toBe(0);
  expect(down.output).toContain('no PostgreSQL server answers');
  await way.reopen();
  expect(await foreignNames(url)).not.toEqual([]);
  const again = await guest.run(['down'], { env });
  expect(again.code, again.output).toBe(0);
  expect(await foreignNames(url)).toEqual([]);
  expect(guest.left()).toEqual(nothing);
  await theirs.run(['down']);
});
