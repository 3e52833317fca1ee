import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { connectKeeper } from '../src/environment/keeper/keeper-client.ts';
import { systemClock } from '../src/kernel/clock.ts';
import { makeProject, type Project } from './harness/project.ts';

interface Command {
  readonly argv: readonly string[];
  readonly stdin?: string;
}

interface Ran {
  readonly code: number;
  readonly printed: string;
}

const system = (service: string): string =>
  `name: recorded\nservices: { daemon: { listen: { env: PORT }, ${service} } }\n`;

/** Boots it, and returns a function that makes its service run commands, and one that reads the records of an edge. */
async function bringUp(project: Project) {
  const up = await project.run(['up', '--detach']);
  expect(up.code, up.output).toBe(0);
  const keeper = await connectKeeper(path.join(project.folder, '.shakedown/latest'), systemClock);
  if (!keeper) throw new Error('no keeper answers');
  const { services } = await keeper.ask('status', {});
  const facts = await keeper.ask('facts', {});
  keeper.close();
  const folders = facts.services[0]?.shims ?? {};
  const run = async (...commands: Command[]): Promise<Ran[]> => {
    const body = JSON.stringify(commands);
    return (await (await fetch(services[0]?.url ?? '', { method: 'POST', body })).json()) as Ran[];
  };
  const records = (end: string): string[][] => {
    const folder = folders[end] ?? '';
    const files = readdirSync(folder).sort();
    for (const file of files) expect(file).toMatch(/^\d{10,19}-\d+\.call$/);
    return files.map((file) => readFileSync(path.join(folder, file), 'utf8').split('\0'));
  };
  return { run, records, folders };
}

test('each call of a recorded program is logged as it was, and the program does its work', async () => {
  const shims = 'shims: { shell: sh, words: printf }';
  const project = makeProject({
    'shakedown.yaml': system(`run: [node, services/runs-commands.mjs], ${shims}`),
  });
  const { run, records, folders } = await bringUp(project);
  expect(Object.keys(folders)).toEqual(['shell', 'words']);
  expect(folders.shell).toMatch(new RegExp(`^${project.tmp}/shakedown-[a-z0-9]{8}/daemon/shims/shell$`));
  const odd = ['', 'two\nlines\n', '\'"$(touch /nowhere)`', '-n', '%s\\0', 'ünï', '*'];
  expect(await run({ argv: ['printf', '[%s]', ...odd] })).toEqual([
    expect.objectContaining({ code: 0, printed: odd.map((word) => `[${word}]`).join('') }),
  ]);
  expect(records('words')).toEqual([['printf', '[%s]', ...odd]]);
  expect(records('shell')).toEqual([]);
  const script = 'echo "$0 $1"; read line; echo "$line"; exit 7';
  const [ran] = await run({ argv: ['sh', '-c', script, 'name', 'first'], stdin: 'from stdin\n' });
  expect(ran).toMatchObject({ code: 7, printed: 'name first\nfrom stdin\n' });
  expect(records('shell')).toEqual([['sh', '-c', script, 'name', 'first']]);
  expect(await run({ argv: ['sh'], stdin: 'echo alone' })).toMatchObject([{ code: 0, printed: 'alone\n' }]);
  expect(records('shell')[1]).toEqual(['sh']);
  await project.run(['down']);
});

test('many at once, and a program that runs another: each is recorded once', async () => {
  const project = makeProject({
    'shakedown.yaml': system(
      'run: [node, services/runs-commands.mjs], shims: { shell: sh, clock: date, mover: mv }',
    ),
  });
  const { run, records } = await bringUp(project);
  const many = Array.from({ length: 20 }, (_, index) => ({ argv: ['sh', '-c', `echo ${index}`] }));
  const ran = await run(...many);
  expect(ran.map(({ printed }) => printed)).toEqual(many.map((_, index) => `${index}\n`));
  expect(
    records('shell')
      .map(([, , script]) => script)
      .sort(),
  ).toEqual(many.map(({ argv }) => argv[2]).sort());
  await run({ argv: ['sh', '-c', 'sh -c "date -u"'] });
  expect(records('shell')).toHaveLength(22);
  expect(records('clock')).toEqual([['date', '-u']]);
  expect(records('mover')).toEqual([]);
  await project.run(['down']);
});

test('neither the start of the service itself nor its readiness check counts as its call', async () => {
  const service =
    'run: exec node services/runs-commands.mjs, shims: { shell: sh }, ready: { allOf: [{ tcp: true }, { command: [sh, -c, "true"] }] }';
  const project = makeProject({ 'shakedown.yaml': system(service) });
  const { run, records } = await bringUp(project);
  expect(records('shell')).toEqual([]);
  await run({ argv: ['sh', '-c', ':'] });
  expect(records('shell')).toHaveLength(1);
  await project.run(['down']);
});

test('a PATH of the service’s own is the one that is searched', async () => {
  const service =
    'run: [node, services/runs-commands.mjs], env: { PATH: "${config.dir}/tools:${env.PATH}" }, shims: { tool: my-tool }';
  const project = makeProject({
    'shakedown.yaml': system(service),
    'tools/my-tool': '#!/bin/sh\necho "tool $1"\n',
  });
  expect((await project.run(['up', '--', 'true'])).stderr).toContain('`my-tool` was not found');
  chmodSync(path.join(project.folder, 'tools/my-tool'), 0o755);
  const { run, records } = await bringUp(project);
  expect(await run({ argv: ['my-tool', 'at work'] })).toMatchObject([{ printed: 'tool at work\n' }]);
  expect(records('tool')).toEqual([['my-tool', 'at work']]);
  await project.run(['down']);
});

test('a missing program is reported before the service starts', async () => {
  const project = makeProject({
    'shakedown.yaml': system('run: [node, services/runs-commands.mjs], shims: { shell: bahs }'),
  });
  const result = await project.run(['up', '--', 'true']);
  expect(result.code).toBe(3);
  expect(result.stderr).toContain('error[world.missing-binary] service daemon, shims.shell');
  expect(result.stderr).toContain('the program `bahs` was not found');
});

test.each([
  ['a path', 'shims: { shell: /bin/sh }', 'the name of a program on PATH, without /'],
  [
    'a name that is taken',
    'shims: { daemon: sh }',
    '`daemon` is the name of a shim here, and of something else',
  ],
  ['one program twice', 'shims: { a: sh, b: sh }', 'the program `sh` is recorded twice, as `a` and as `b`'],
  ['the folder of the shims', 'shims: { bin: sh }', '"bin" cannot be a name'],
])('%s is refused in the config', async (_, shims, message) => {
  const project = makeProject({
    'shakedown.yaml': system(`run: [node, services/runs-commands.mjs], ${shims}`),
  });
  const result = await project.run(['lint']);
  expect(result.code).toBe(2);
  expect(result.stderr).toContain(message);
});
