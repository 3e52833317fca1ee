/** Other leftovers of processes: shared memory, and processes that cannot be killed. */
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { findOnPath, needs } from './harness/needs.ts';
import { binary, endIfThere, makeProject, type Project } from './harness/project.ts';
import { startRunning } from './harness/running.ts';
import { isNothing, nothing, until } from './harness/until.ts';

/** Creates a segment of each kind, and ends without removing them. */
const sharer = `
import ctypes, mmap, os, signal, time
made = ctypes.CDLL(None).shmget(0, 4096, 0o1600)
name = '/dev/shm/shakedown-test-%d' % os.getpid()
with open(name, 'w+b') as file:
  file.truncate(4096); kept = mmap.mmap(file.fileno(), 4096)
def late(*_):
  global later
  later = open(name + '-late', 'wb')
  later.write(b'x'); later.flush()
signal.signal(signal.SIGTERM, late)
print('made', made, name, flush=True)
while True: time.sleep(600)
`;

const sharing = `
name: sharing
services: { sharer: { run: [python3, sharer.py], ready: { log: made }, stop: { within: 200ms } } }
`;

function madeBy(project: Project): { readonly segment: string; readonly file: string } {
  const log = readFileSync(path.join(project.folder, '.shakedown/latest/services/sharer.log'), 'utf8');
  const [, segment = '', file = ''] = /made (\d+) (\S+)/.exec(log) ?? [];
  return { segment, file };
}

function segmentIds(): readonly (string | undefined)[] {
  const [, ...rows] = readFileSync('/proc/sysvipc/shm', 'utf8').split('\n');
  return rows.map((row) => row.trim().split(/\s+/)[1]);
}

test.each(['namespace', 'ledger'] as const)(
  'shared memory is removed with the environment (%s)',
  async (containment) => {
    needs('linux', 'python3');
    const project = makeProject({ 'shakedown.yaml': sharing, 'sharer.py': sharer });
    for (const id of ['a', 'b'])
      writeFileSync(
        path.join(project.folder, `${id}.trial.yaml`),
        `id: ${id}\nsteps: [{ command: [ls, ./], as: x }]\nchecks: { x: { exchange: x, expect: { exitCode: 0 } } }\n`,
      );
    // Each trial has its own sharer.
    const run = await project.run(['run', '--isolation', 'restart', '--containment', containment]);
    expect(run.code, run.output).toBe(0);
    const { segment, file } = madeBy(project);
    // Also what was created while it was being stopped.
    expect([file, `${file}-late`].filter((one) => existsSync(one))).toEqual([]);
    if (containment === 'ledger') expect(segmentIds()).not.toContain(segment);
  },
);

test('shared memory of an environment whose keeper and guard were killed is swept', async () => {
  needs('linux', 'python3');
  const project = makeProject({ 'shakedown.yaml': sharing, 'sharer.py': sharer });
  await project.run(['up', '--detach', '--containment', 'ledger']);
  const { keeper } = JSON.parse((await project.run(['status', '--json'])).stdout);
  const { segment, file } = madeBy(project);
  expect(segmentIds()).toContain(segment);
  for (const signal of ['SIGSTOP', 'SIGKILL'] as const)
    for (const pid of [keeper.guardPid, keeper.pid]) process.kill(pid, signal);
  const down = await project.run(['down']);
  expect(down.code, down.output).toBe(0);
  expect(segmentIds()).not.toContain(segment);
  expect(existsSync(file)).toBe(false);
  expect(project.left()).toEqual(nothing);
});

test('a database that is created for the first time does not use /dev/shm', async () => {
  needs('linux');
  const project = makeProject({ 'shakedown.yaml': 'name: first\nresources: { db: { kind: postgres } }\n' });
  const up = startRunning(project, ['up']);
  const seen = new Set<string>();
  const look = (): boolean => {
    for (const { pid } of project.left().processes) for (const file of mappedBy(pid)) seen.add(file);
    return up.text().includes('Held open');
  };
  await until('it is up', 60_000, look, Boolean);
  up.child.kill('SIGINT');
  await up.ended;
  expect([...seen]).toEqual([]);
  expect(project.left()).toEqual(nothing);
});

test('a pid file that names foreign shared memory removes none of it', async () => {
  needs('linux', 'root');
  const [segment = ''] =
    /\d+$/m.exec(execFileSync('ipcmk', ['-M', '4096'], { encoding: 'utf8' }).trim()) ?? [];
  onTestFinished(() => void spawnSync('ipcrm', ['-m', segment]));
  const project = makeProject({
    'shakedown.yaml': 'name: forged\nresources: { db: { kind: postgres } }\n',
    'forge.sh': `f=$(echo "$TMPDIR"/shakedown-*/db/data-*/postmaster.pid); p=$(head -n 1 "$f"); kill -9 "$p"
      while test -e "/proc/$p"; do sleep 0.05; done
      { sed -n 1,6p "$f"; echo "  1234 ${segment}"; echo ready; } > forged; cat forged > "$f"`,
  });
  // So that the database runs as the user `nobody`, which owns the file then.
  chmodSync(path.dirname(project.folder), 0o755);
  const up = await project.run(['up', '--containment', 'ledger', '--', 'sh', 'forge.sh']);
  expect(up.output).toContain('PostgreSQL was ended by SIGKILL');
  expect(existsSync(path.join(project.folder, 'forged'))).toBe(true);
  expect(segmentIds()).toContain(segment);
});

function mappedBy(pid: number): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/maps`, 'utf8').match(/\/dev\/shm\/.+/g) ?? [];
  } catch {
    return []; // it ended meanwhile
  }
}

test('a service of an ordinary user that became root: reported, exit code 7, and the rest is taken down', async () => {
  needs('linux', 'root', 'setpriv');
  const project = makeProject({
    'shakedown.yaml': `
name: rooted
services:
  rooted:
    run: [sh, -c, "echo $$ > pid; echo up; exec ./setpriv --reuid 0 --regid 0 --clear-groups sleep 600"]
    ready: { log: up }
    stop: { within: 200ms }
  plain: { run: [node, services/answers.mjs], listen: { env: PORT } }
`,
  });
  ownedByNobody(path.dirname(project.folder));
  copyFileSync(findOnPath('setpriv')[0] ?? '', path.join(project.folder, 'setpriv'));
  chmodSync(path.join(project.folder, 'setpriv'), 0o4755);
  const untilRoot = 'until grep -q "^Uid:.0.0.0" /proc/$(cat pid)/status; do sleep 0.05; done';
  const up = await asNobody(project, ['up', '--containment', 'ledger', '--', 'sh', '-c', untilRoot]);
  const pid = Number(readFileSync(path.join(project.folder, 'pid'), 'utf8'));
  onTestFinished(() => endIfThere(pid));
  expect(up.code, up.output).toBe(7);
  expect(up.output).toContain(`process ${pid} of user 0: sleep 600`);
  expect(project.left().processes.map((process) => process.pid)).toEqual([pid]);
  // Once it was ended with the right permissions, the rest is removed.
  process.kill(pid, 'SIGKILL');
  await until(
    'it has ended',
    5_000,
    () => existsSync(`/proc/${pid}`),
    (there) => !there,
  );
  const down = await asNobody(project, ['down']);
  expect(down.code, down.output).toBe(0);
  await until('nothing is left', 5_000, project.left, isNothing);
}, 60_000);

test.each(['namespace', 'ledger'] as const)(
  'shared memory of an ordinary user: objects of other processes stay, its own are removed (%s)',
  async (containment) => {
    needs('linux', 'root', 'python3');
    const base = `/dev/shm/shakedown-ordinary-${process.pid}`;
    const project = makeProject({
      'shakedown.yaml':
        'name: sharing\nservices: { sharer: { run: [python3, sharer.py], ready: { log: made }, stop: { within: 1s } } }\n',
      'sharer.py': `
import os, time
own = open('${base}.own', 'wb')
while not os.path.exists('${base}.theirs'): time.sleep(0.02)
theirs = open('${base}.theirs', 'r+b')
print('made', flush=True)
time.sleep(600)
`,
    });
    onTestFinished(() => {
      for (const name of ['own', 'theirs', 'nobodys']) rmSync(`${base}.${name}`, { force: true });
    });
    ownedByNobody(path.dirname(project.folder));
    const up = asNobody(project, ['up', '--containment', containment, '--', 'true']);
    await until('the service is there', 20_000, () => existsSync(`${base}.own`), Boolean);
    for (const name of ['nobodys', 'theirs']) {
      const file = openSync(`${base}.${name}.new`, 'w');
      chownSync(`${base}.${name}.new`, nobody, nobody);
      if (name === 'theirs') {
        const outside = spawn('sleep', ['60'], {
          uid: nobody,
          gid: nobody,
          stdio: ['ignore', file, 'ignore'],
        });
        onTestFinished(() => void outside.kill());
      }
      closeSync(file);
      renameSync(`${base}.${name}.new`, `${base}.${name}`);
    }
    const { code, output } = await up;
    expect(code, output).toBe(0);
    const there = ['own', 'theirs', 'nobodys'].map((name) => existsSync(`${base}.${name}`));
    expect(there).toEqual([false, true, true]);
    expect(project.left()).toEqual(nothing);
  },
);

const nobody = 65_534;

function ownedByNobody(folder: string): void {
  mkdirSync(path.join(folder, 'home'));
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    chownSync(path.join(folder, name), nobody, nobody);
  chownSync(folder, nobody, nobody);
}

async function asNobody(
  project: Project,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly output: string }> {
  const child = spawn(process.execPath, [binary, ...args], {
    cwd: project.folder,
    env: { ...process.env, ...project.env, HOME: path.join(project.folder, '../home'), NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
    uid: nobody,
    gid: nobody,
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, output };
}
