/** Images for tests, made from programs of this machine, because nothing can be fetched. */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { onTestFinished } from 'vitest';
import { needs } from './needs.ts';

/** With a shell, a few tools and node. Removed after the test, with all its containers. */
export function nodeImage(): string {
  return importedImage(['/bin/sh', '/bin/cat', '/bin/sleep', '/bin/ls', '/bin/mkdir', process.execPath], {
    [process.execPath]: 'usr/bin/node',
  });
}

/** With a shell and `sleep`. */
export function shellImage(): string {
  return importedImage(['/bin/sh', '/bin/sleep']);
}

/** Behaves like the official image of PostgreSQL, with the binaries of the embedded one. */
export function postgresImage(native: string): string {
  const image = `shakedown-test-postgres-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  const stage = mkdtempSync(path.join(tmpdir(), 'shakedown-image-'));
  const put = (name: string, text: string, mode = 0o644): void => {
    mkdirSync(path.dirname(path.join(stage, name)), { recursive: true });
    writeFileSync(path.join(stage, name), text, { mode });
  };
  put('etc/passwd', 'root:x:0:0::/:/bin/sh\npostgres:x:70:70::/data:/bin/sh\n');
  put('entrypoint', entrypoint, 0o755);
  mkdirSync(path.join(stage, 'opt'));
  mkdirSync(path.join(stage, 'data'));
  mkdirSync(path.join(stage, 'tmp'));
  const script = `set -e
cp -rL ${native} opt/pg
for file in /bin/sh /bin/cat $(ls opt/pg/bin/*); do echo "$file"; LD_LIBRARY_PATH=${native}/lib ldd "$file" | grep -o "/[^ ]*"; done | sort -u | grep -v '^opt/\\|${native}' | while read -r file; do mkdir -p ".$(dirname "$file")"; cp -L "$file" ".$file"; done
chmod -R a+rX opt; chown -R 70:70 data tmp
tar -c . | docker import --change 'USER postgres' --change 'ENTRYPOINT ["/entrypoint"]' --change 'CMD ["postgres"]' --change 'ENV PATH=/opt/pg/bin:/usr/bin:/bin' --change 'ENV PGDATA=/data/pg' --change 'ENV LD_LIBRARY_PATH=/opt/pg/lib' - ${image}`;
  execFileSync('sh', ['-c', script], { cwd: stage, stdio: ['ignore', 'ignore', 'pipe'] });
  rmSync(stage, { recursive: true });
  return image;
}

const entrypoint = `#!/bin/sh
set -e
: "\${POSTGRES_USER:=postgres}" "\${POSTGRES_DB:=$POSTGRES_USER}"
if [ ! -s "$PGDATA/PG_VERSION" ]; then
  if [ -z "$POSTGRES_PASSWORD" ]; then echo 'Error: Database is uninitialized and superuser password is not specified.' >&2; exit 1; fi
  echo "$POSTGRES_PASSWORD" >/tmp/password
  initdb --no-sync --username="$POSTGRES_USER" --pwfile=/tmp/password --auth-host=scram-sha-256 --auth-local=trust --encoding=UTF8 --locale=C -D "$PGDATA"
  echo 'host all all all scram-sha-256' >>"$PGDATA/pg_hba.conf"
  echo "listen_addresses = '*'" >>"$PGDATA/postgresql.conf"
  [ "$POSTGRES_DB" = postgres ] || echo "CREATE DATABASE \\"$POSTGRES_DB\\"" | postgres --single -D "$PGDATA" postgres >/dev/null
fi
exec "$@"
`;

export function removeTestImage(image: string): void {
  for (const id of containersOf(image)) spawnSync('docker', ['rm', '--force', id]);
  spawnSync('docker', ['rmi', '--force', image]);
}

/** The programs with their libraries; `renamed`: where one is put instead. */
function importedImage(programs: readonly string[], renamed: Readonly<Record<string, string>> = {}): string {
  needs('linux', 'docker');
  const image = `shakedown-test-${process.pid}-${Math.random().toString(36).slice(2, 8)}`;
  const script = `for file in "$@"; do echo "$file"; ldd "$file" | grep -o "/[^ ]*"; done | sort -u | tar -chP --hard-dereference ${Object.entries(
    renamed,
  )
    .map(([from, to]) => `--transform 's|^${from}$|${to}|'`)
    .join(' ')} -T - | docker import --change 'ENV PATH=/usr/bin:/bin' - ${image}`;
  execFileSync('sh', ['-c', script, 'sh', ...programs], { stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => removeTestImage(image));
  return image;
}

/** All of them, also those that have ended. */
export function containersOf(image: string): readonly string[] {
  const ids = execFileSync('docker', ['ps', '--all', '--quiet', '--filter', `ancestor=${image}`]);
  return ids.toString().split('\n').filter(Boolean);
}

/** Everything at the engine that has the label of an environment: containers, networks, volumes, images. */
export function atEngine(environment = ''): readonly string[] {
  const label = `label=shakedown.environment${environment === '' ? '' : `=${environment}`}`;
  const lists = [
    ['ps', '--all', '--format', 'container {{.Names}}'],
    ['network', 'ls', '--format', 'network {{.Name}}'],
    ['volume', 'ls', '--format', 'volume {{.Name}}'],
    ['images', '--all', '--format', 'image {{.Repository}}'],
  ];
  return lists.flatMap((words) =>
    execFileSync('docker', [...words, '--filter', label])
      .toString()
      .split('\n')
      .filter(Boolean),
  );
}

/** Layers of builds, too; others build beside a test, so only those with the mark in a variable. */
export function imagesWith(mark: string): readonly string[] {
  const all = execFileSync('docker', ['images', '--all', '--quiet', '--no-trunc']).toString().split('\n');
  const ids = all.filter(Boolean);
  // One that is removed in between is reported on stderr, and the others are still shown.
  const shown = spawnSync('docker', ['inspect', '--format', '{{.Id}} {{json .Config.Env}}', ...ids]);
  return shown.stdout
    .toString()
    .split('\n')
    .filter((line) => line.includes(mark));
}
