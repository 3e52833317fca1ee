/** Shared memory: what certainly belongs to the environment is removed, doubtful cases are reported, the rest stays. */
import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { needs } from './harness/needs.ts';
import { makeProject, type Project } from './harness/project.ts';
import { until } from './harness/until.ts';

/** A user without any other process on the machine. */
const stranger = 64_111;

const containments = ['namespace', 'ledger'] as const;

/**
 * A service that root starts, that switches to another user, and then does what the test says. `base` is a unique name
 * in /dev/shm.
 */
function becomesAnother(work: string): { readonly project: Project; readonly base: string } {
  needs('linux', 'root', 'python3');
  const project = makeProject({
    'shakedown.yaml':
      'name: sharing\nservices: { sharer: { run: [python3, sharer.py], ready: { log: made }, stop: { within: 1s } } }\n',
  });
  const base = `/dev/shm/shakedown-${path.basename(path.dirname(project.folder))}`;
  const script = `
import ctypes, mmap, os, signal, sys, time
libc = ctypes.CDLL(None)
os.setgid(${stranger}); os.setuid(${stranger})
base, outside = ${JSON.stringify(base)}, ${JSON.stringify(path.join(project.folder, 'outside'))}
${work}
print('made', flush=True)
time.sleep(600)
`;
  writeFileSync(path.join(project.folder, 'sharer.py'), script);
  onTestFinished(() => {
    for (const file of entriesOf(base)) rmSync(file, { recursive: true, force: true });
  });
  return { project, base };
}

function entriesOf(base: string): readonly string[] {
  return readdirSync('/dev/shm')
    .map((name) => `/dev/shm/${name}`)
    .filter((file) => file.startsWith(base));
}

test.each(containments)('a link in /dev/shm to a file outside is not followed (%s)', async (containment) => {
  const { project, base } = becomesAnother(`
os.mkdir(base)
with open(base + '/precious', 'w+b') as file:
  file.truncate(4096); kept = mmap.mmap(file.fileno(), 4096)
def turn(*_):
  os.rename(base, base + '.away'); os.symlink(outside, base); sys.exit(0)
signal.signal(signal.SIGTERM, turn)
`);
  const precious = path.join(project.folder, 'outside/precious');
  mkdirSync(path.dirname(precious));
  writeFileSync(precious, 'mine');
  const up = await project.run(['up', '--containment', containment, '--', 'true']);
  expect(readFileSync(precious, 'utf8')).toBe('mine');
  expect(up.code, up.output).toBe(7);
  for (const name of [base, `${base}.away`]) expect(up.output).toContain(`shared memory ${name}: `);
});

test.each(containments)(
  'a file of another process is not deleted when a service read it (%s)',
  async (containment) => {
    const { project, base } = becomesAnother(`
print('waits', flush=True)
while not os.path.exists(base + '.held') or os.stat(base + '.held').st_size == 0: time.sleep(0.02)
with open(base, 'rb') as file: kept = mmap.mmap(file.fileno(), 4096, prot=mmap.PROT_READ)
with open(base + '.held', 'rb') as file: held = mmap.mmap(file.fileno(), 4096, prot=mmap.PROT_READ)
`);
    const up = project.run(['up', '--containment', containment, '--', 'true']);
    const log = path.join(project.folder, '.shakedown/latest/services/sharer.log');
    await until(
      'it waits',
      20_000,
      () => existsSync(log) && readFileSync(log, 'utf8').includes('waits'),
      Boolean,
    );
    writeFileSync(base, Buffer.alloc(4_096));
    const held = openSync(`${base}.held`, 'w');
    for (const file of [base, `${base}.held`]) chownSync(file, stranger, stranger);
    writeSync(held, Buffer.alloc(4_096));
    const { code, output } = await up;
    closeSync(held);
    expect(entriesOf(base).toSorted()).toEqual([base, `${base}.held`]);
    expect(code, output).toBe(7);
    expect(output).toContain(`shared memory ${base}: its creator is uncertain`);
    expect(output).not.toContain(`${base}.held`);
  },
);

test.each(containments)(
  'open files and files with any name are removed; a folder is reported (%s)',
  async (containment) => {
    const { project, base } = becomesAnother(`
files = [open(base + name, 'wb') for name in ('.open', '.two\\nlines', '.\\udcff')]
os.mkdir(base + '.folder')
`);
    const up = await project.run(['up', '--containment', containment, '--', 'true']);
    expect(entriesOf(base)).toEqual([`${base}.folder`]);
    expect(up.code, up.output).toBe(7);
    expect(up.output).toContain(`shared memory ${base}.folder: `);
  },
);

/** Creates a segment, semaphores and a queue. */
const three = `
def three(use):
  made = [libc.shmget(0, 4096, 0o1600), libc.semget(0, 1, 0o1600), libc.msgget(0, 0o1600)]
  if use: libc.semctl(made[1], 0, 16, 1); libc.msgsnd(made[2], b'\\1' + b'\\0' * 15, 8, 0)
  os.write(1, b'three\\n')
`;

test('of the objects that children created, used ones are removed and the rest is reported (ledger)', async () => {
  const { project } = becomesAnother(`${three}
if os.fork() == 0: three(True); time.sleep(600)
if os.fork() == 0: three(False); os._exit(0)
os.wait()
`);
  const up = await project.run([
    'up',
    '--containment',
    'ledger',
    '--',
    'sh',
    '-c',
    'until test $(grep -c three .shakedown/latest/services/sharer.log) = 2; do sleep 0.05; done',
  ]);
  const left = ownedByStranger();
  onTestFinished(() => {
    for (const [option, id] of ownedByStranger()) spawnSync('ipcrm', [option, id]);
  });
  expect(up.code, up.output).toBe(7);
  expect(left.map(([option]) => option)).toEqual(['-m', '-s', '-q']);
  for (const [option, id] of left) expect(up.output).toContain(`remove it: ipcrm ${option} ${id}`);
});

test.each(containments)(
  'what a child that left its group kept there goes with the trial after which it was ended (%s)',
  async (containment) => {
    needs('linux', 'python3');
    const base = `/dev/shm/shakedown-stray-${process.pid}-${containment}`;
    onTestFinished(() => {
      for (const file of entriesOf(base)) rmSync(file, { force: true });
    });
    const project = makeProject({
      'stray.py': `import os, time
if os.fork(): os._exit(0)
os.setsid()
if os.fork(): os._exit(0)
held = open('${base}' + str(os.getpid()), 'w'); held.write('x' * 4096); held.flush()
time.sleep(600)
`,
      'serve.mjs': `import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
const isThere = () => readdirSync('/dev/shm').some((name) => ('/dev/shm/' + name).startsWith('${base}'));
createServer((request, response) => response.writeHead(isThere() ? 200 : 503).end()).listen(process.env.PORT, '127.0.0.1');
`,
      'shakedown.yaml': `name: sharing
services:
  sharer: { run: "python3 stray.py >/dev/null 2>&1; exec node serve.mjs", listen: { env: PORT }, ready: { http: / } }
`,
      'one.trial.yaml': 'id: one\nsteps: [{ http: GET sharer/, expect: { status: 200 } }]\n',
    });
    const run = await project.run(['run', '--repeat', '3', '--parallel', '1', '--containment', containment]);
    expect(run.code, run.output).toBe(0);
    expect(entriesOf(base)).toEqual([]);
  },
);

test('a namespace has its own objects', async () => {
  const { project } = becomesAnother(`${three}\nthree(True); three(False)`);
  const up = await project.run(['up', '--containment', 'namespace', '--', 'true']);
  expect(up.code, up.output).toBe(0);
  expect(ownedByStranger()).toEqual([]);
});

function ownedByStranger(): ReadonlyArray<readonly [string, string]> {
  const lists = [
    ['shm', '-m', 7],
    ['sem', '-s', 4],
    ['msg', '-q', 7],
  ] as const;
  return lists.flatMap(([list, option, owner]) =>
    readFileSync(`/proc/sysvipc/${list}`, 'utf8')
      .split('\n')
      .map((row) => row.trim().split(/\s+/))
      .filter((fields) => fields[owner] === String(stranger))
      .map((fields) => [option, fields[1] ?? ''] as const),
  );
}

test('a file that was created just before the environment began stays, whichever process writes to it', async () => {
  const { project, base } = becomesAnother(`
with open(base + '.before', 'r+b') as file: kept = mmap.mmap(file.fileno(), 4096)
`);
  // In the same second, which is the resolution of some clocks.
  await until(
    'a second begins',
    2_000,
    () => Date.now() % 1_000,
    (ms) => ms < 100,
  );
  writeFileSync(`${base}.before`, Buffer.alloc(4_096), { mode: 0o666 });
  chownSync(`${base}.before`, stranger, stranger);
  const { code, output } = await project.run(['up', '--', 'true']);
  expect(entriesOf(base)).toEqual([`${base}.before`]);
  expect(code, output).toBe(0);
});

test('objects that other processes create under the account of the database are not attributed to it', async () => {
  needs('linux', 'root');
  const project = makeProject({ 'shakedown.yaml': 'name: data\nresources: { db: { kind: postgres } }\n' });
  chmodSync(path.dirname(project.folder), 0o755); // so that the database runs as the user `nobody`
  const file = `/dev/shm/shakedown-${path.basename(path.dirname(project.folder))}`;
  onTestFinished(() => rmSync(file, { force: true }));
  const touch = ['setpriv', '--reuid=65534', '--regid=65534', '--clear-groups', 'touch', file];
  const up = await project.run(['up', '--containment', 'ledger', '--', ...touch]);
  expect(up.code, up.output).toBe(0);
  expect(existsSync(file)).toBe(true);
});
