/** Foreign entries in the search path for crashed environments are never trusted, and never block a command. */
import { once } from 'node:events';
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { placeHere } from '../src/environment/containment/place.ts';
import { needs } from './harness/needs.ts';
import { binary, endIfThere, makeProject, type Project } from './harness/project.ts';
import { runCommand } from './harness/run-command.ts';
import { nothing, until } from './harness/until.ts';

const simple =
  'name: simple\nservices: { web: { run: [node, services/answers.mjs], listen: { env: PORT } } }\n';
const nobody = 65_534;
const lastYear = Date.now() / 1_000 - 365 * 86_400;

/** The first line of a ledger, as left by an environment of an earlier boot of this machine. */
function head(environment: string, runFolder: string): string {
  const entry = { entry: 'environment', environment, run: 'r', runFolder, bootId: 'earlier', uid: 0 };
  return `${JSON.stringify({ ...entry, place: placeHere(), ours: [] })}\n`;
}

function makeCrashed(project: Project, environment: string, ledger: string): string {
  const workspace = path.join(realpathSync(project.tmp), `shakedown-${environment}`);
  mkdirSync(workspace, { mode: 0o700 });
  const file = path.join(workspace, 'ledger.ndjson');
  writeFileSync(file, ledger, { mode: 0o600 });
  utimesSync(file, lastYear, lastYear);
  return workspace;
}

/** A run folder whose plan says that the victim is the workspace. */
function makeLyingRun(project: Project, environment: string, workspace: string): string {
  const runFolder = path.join(realpathSync(project.folder), `run-of-${environment}`);
  mkdirSync(path.join(runFolder, 'services'), { recursive: true, mode: 0o700 });
  const system = { name: 'liar', folder: project.folder, secrets: ['KEY'], resources: [] };
  const plan = { schemaVersion: 1, run: 'r', runFolder, environment, workspace, system };
  writeFileSync(path.join(runFolder, 'plan.json'), JSON.stringify(plan), { mode: 0o600 });
  return runFolder;
}

function makeVictim(project: Project, name: string): string {
  const victim = path.join(realpathSync(project.folder), name);
  mkdirSync(victim);
  writeFileSync(path.join(victim, 'precious'), 'precious');
  return victim;
}

test('links, forged plans, folders of other users and damaged ledgers: nothing outside is touched, and the rest is swept', async () => {
  needs('linux', 'root');
  const project = makeProject({ 'shakedown.yaml': simple });
  const victim = makeVictim(project, 'victim');
  // A plan that names a different folder than that of the ledger.
  makeCrashed(project, 'aaaaaaaa', head('aaaaaaaa', makeLyingRun(project, 'aaaaaaaa', victim)));
  // A link to a folder of ours that other users can write, with their ledger in it.
  const lying = makeLyingRun(project, 'bbbbbbbb', victim);
  writeFileSync(path.join(project.tmp, 'ledger.ndjson'), head('bbbbbbbb', lying));
  chownSync(path.join(project.tmp, 'ledger.ndjson'), nobody, nobody);
  symlinkSync('.', path.join(project.tmp, 'shakedown-bbbbbbbb'));
  // A link to itself; a ledger that is a link; a folder of another user.
  symlinkSync('shakedown-cccccccc', path.join(project.tmp, 'shakedown-cccccccc'));
  const linked = makeCrashed(project, 'dddddddd', '');
  writeFileSync(path.join(victim, 'ledger'), head('dddddddd', makeLyingRun(project, 'dddddddd', linked)));
  chownSync(path.join(victim, 'ledger'), nobody, nobody);
  await import('node:fs/promises').then(({ rm }) => rm(path.join(linked, 'ledger.ndjson')));
  symlinkSync(path.join(victim, 'ledger'), path.join(linked, 'ledger.ndjson'));
  const theirs = makeCrashed(project, 'eeeeeeee', head('eeeeeeee', 'nowhere'));
  for (const entry of [theirs, path.join(theirs, 'ledger.ndjson')]) chownSync(entry, nobody, nobody);
  // Lines that are not entries, before a valid one; entries without required keys.
  const broken = 'null\n7\n[]\n{"entry":"command"}\n{"entry":"process","name":"x","process":{"pid":-1}}\n{';
  const damaged = makeCrashed(project, 'ffffffff', `${broken}\n${head('ffffffff', 'nowhere')}`);
  const writable = makeCrashed(project, 'gggggggg', head('gggggggg', 'nowhere'));
  chmodSync(writable, 0o777);
  const good = makeCrashed(project, 'hhhhhhhh', head('hhhhhhhh', 'nowhere'));

  const down = await project.run(['down']);
  expect(down.code, down.output).toBe(7);
  expect(readFileSync(path.join(victim, 'precious'), 'utf8')).toBe('precious');
  expect(existsSync(theirs)).toBe(true);
  expect(existsSync(good)).toBe(false);
  expect(existsSync(damaged)).toBe(false);
  expect(down.output).toContain('shakedown-aaaaaaaa: its plan belongs to another folder');
  expect(down.output).toContain('shakedown-gggggggg: it can be written by other users');
  expect(down.output).not.toMatch(/bbbbbbbb|cccccccc|dddddddd|eeeeeeee/);
  for (const verb of ['status', 'doctor']) expect((await project.run([verb])).code, verb).not.toBe(70);
});

test('an empty workspace is removed once it is certainly abandoned', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  const [old, begun, fresh] = ['begun123', 'begun456', 'begun789'].map((name) =>
    makeCrashed(project, name, ''),
  );
  rmSync(path.join(begun as string, 'ledger.ndjson'));
  const theirs = path.join(project.tmp, 'shakedown-examples');
  mkdirSync(theirs, { mode: 0o755 });
  for (const workspace of [old, begun, theirs]) utimesSync(workspace as string, lastYear, lastYear);
  await project.run(['status']);
  expect(existsSync(theirs)).toBe(true);
  expect([old, begun, fresh].map((workspace) => existsSync(workspace as string))).toEqual([
    false,
    false,
    true,
  ]);
});

test('a folder, or a file, that only has the name of a workspace stays unchanged', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  const books = makeCrashed(project, 'accounts', '{"date":"2026-01-01","amount":12}\n');
  const journals = makeCrashed(project, 'journals', head('accounts', 'nowhere'));
  const notes = makeCrashed(project, 'notebook', '');
  chmodSync(notes, 0o777);
  for (const verb of ['status', 'down']) {
    const said = await project.run([verb]);
    expect(said.code, said.output).toBe(verb === 'down' ? 0 : 2);
    expect(said.output).not.toMatch(/accounts|journals|notebook/);
  }
  for (const folder of [books, journals, notes])
    expect(existsSync(path.join(folder, 'ledger.ndjson'))).toBe(true);
});

test('an environment of an earlier boot of this machine is swept when it is silent, whatever the host name', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  const crashed = makeCrashed(project, 'crashed1', head('crashed1', 'nowhere'));
  const living = makeCrashed(project, 'living11', head('living11', 'nowhere'));
  utimesSync(path.join(living, 'ledger.ndjson'), new Date(), new Date());
  const first = JSON.stringify([{ role: 'cli', process: { pid: 1, startedAt: '7' } }]);
  const contained = makeCrashed(project, 'cntained', head('cntained', 'nowhere').replace('[]', first));
  const elsewhere = head('machine2', 'nowhere').replace(placeHere().machine, 'another');
  const another = makeCrashed(project, 'machine2', elsewhere);
  expect((await project.run(['down'])).code).toBe(0);
  expect([crashed, contained, living, another].map((folder) => existsSync(folder))).toEqual([
    false,
    false,
    true,
    true,
  ]);
});

test('a running environment is not swept from another time namespace, where start times differ', async () => {
  needs('linux', 'root');
  const project = makeProject({ 'shakedown.yaml': simple });
  const up = await project.run(['up', '--detach']);
  expect(up.code, up.output).toBe(0);
  const elsewhere = [
    'unshare',
    '--time',
    '--boottime',
    '100000',
    '--fork',
    process.execPath,
    binary,
    'doctor',
  ];
  const { output } = await runCommand(elsewhere, { cwd: makeProject({}).folder, env: project.env });
  expect(output).toContain('no environment has crashed');
  expect((await project.run(['status'])).code).toBe(0);
  expect((await project.run(['down'])).code).toBe(0);
});

test('the first process of a container sweeps when keeper and guard were killed', async () => {
  needs('linux', 'root');
  const project = makeProject({ 'shakedown.yaml': simple });
  const container = ['--pid', '--fork', '--kill-child', '--mount-proc', process.execPath, binary, 'up'];
  const up = runCommand(['unshare', ...container, '--containment', 'ledger'], {
    cwd: project.folder,
    env: project.env,
  });
  const journal = path.join(project.folder, '.shakedown/latest/events.ndjson');
  const isUp = (): boolean =>
    existsSync(journal) && readFileSync(journal, 'utf8').includes('environment.ready');
  await until('it is up', 20_000, isUp, Boolean);
  for (const { pid, commandLine } of project.left().processes)
    if (/^shakedown-keeper|mkfifo/.test(commandLine)) endIfThere(pid);
  const { code, output } = await up;
  expect(output).not.toContain('outerProc');
  expect(code, output).toBe(3);
  expect(project.left()).toEqual(nothing);
});

test('logs of a run whose temporary folder is gone are removed when its keeper has been silent for long enough', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  const runs = path.join(realpathSync(project.folder), '.shakedown/runs');
  const make = async (name: string, about: object, heardAt = lastYear): Promise<string> => {
    const runFolder = path.join(runs, `20260101-000000-${name}`);
    const log = path.join(runFolder, 'services/web.log');
    mkdirSync(path.dirname(log), { recursive: true, mode: 0o700 });
    writeFileSync(log, 'the key is sk-very-secret-123\n');
    const system = { name: 'simple', folder: project.folder, secrets: ['KEY'], resources: [] };
    const gone = { environment: `${name}0000`, workspace: path.join(project.tmp, `shakedown-${name}0000`) };
    const where = { run: 'r', runFolder, bootId: 'earlier', place: placeHere() };
    const plan = JSON.stringify({ schemaVersion: 1, ...where, ...gone, system, ...about });
    writeFileSync(path.join(runFolder, 'plan.json'), plan, { mode: 0o600 });
    const server = createServer().listen(path.join(project.tmp, name));
    await once(server, 'listening');
    const socket = path.join(runFolder, 'keeper.sock');
    renameSync(path.join(project.tmp, name), socket);
    server.close();
    utimesSync(socket, heardAt, heardAt);
    return log;
  };
  const crashed = [await make('gone', {}), await make('move', { runFolder: '/elsewhere' })];
  const others = [
    await make('live', {}, Date.now() / 1_000),
    await make('else', { place: { machine: 'another', namespace: '' } }),
  ];
  const down = await project.run(['down']);
  expect(down.code, down.output).toBe(0);
  for (const log of crashed) expect(readFileSync(log, 'utf8')).toContain('after a crash: KEY was not set');
  for (const log of others) expect(readFileSync(log, 'utf8')).toContain('sk-very-secret-123');
});

test('a project with its own lock and plan cannot name a folder to remove, or logs to empty', async () => {
  const project = makeProject({ 'shakedown.yaml': simple });
  const victim = makeVictim(project, 'shakedown-victims1');
  mkdirSync(path.join(victim, 'services'));
  writeFileSync(path.join(victim, 'services', 'note.log'), 'precious');
  const runFolder = path.join(project.folder, '.shakedown/runs/20260101-000000-abcd');
  mkdirSync(runFolder, { recursive: true });
  const system = { name: 'simple', folder: project.folder, secrets: ['KEY'], resources: [] };
  const plan = {
    schemaVersion: 1,
    run: 'stranger',
    runFolder: victim,
    environment: 'victims1',
    workspace: victim,
    system,
  };
  writeFileSync(path.join(runFolder, 'plan.json'), JSON.stringify(plan));
  writeFileSync(
    path.join(project.folder, '.shakedown/up.json'),
    JSON.stringify({ run: '20260101-000000-abcd' }),
  );
  const down = await project.run(['down']);
  expect(down.code, down.output).toBe(7);
  expect(readFileSync(path.join(victim, 'services', 'note.log'), 'utf8')).toBe('precious');
  expect(readFileSync(path.join(victim, 'precious'), 'utf8')).toBe('precious');
});

test.each([0o000, 0o077])(
  'whatever the umask (%o), other users can neither write nor list a workspace',
  async (mask) => {
    const project = makeProject({ 'shakedown.yaml': simple });
    const before = process.umask(mask);
    const up = await project
      .run(['up', '--', 'sh', '-c', 'stat -c %a "$TMPDIR"/shakedown-*'])
      .finally(() => process.umask(before));
    expect(up.code, up.output).toBe(0);
    expect(up.stdout).toMatch(/^7[01][01]$/m);
    expect(lstatSync(project.tmp).isDirectory()).toBe(true);
  },
);
