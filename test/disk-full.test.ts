import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { needs } from './harness/needs.ts';
import { binary, makeProject, type Project } from './harness/project.ts';
import { runCommand } from './harness/run-command.ts';
import { isNothing, nothing, until } from './harness/until.ts';

/** Mounts a disk on the folder that is so small that it fills up. */
function makeSmallDisk(folder: string, kilobytes: number): void {
  mkdirSync(folder, { recursive: true });
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', folder]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]));
}

function chattyProject(): Project {
  return makeProject({
    'shakedown.yaml':
      'name: chatty\nservices: { web: { run: [node, services/answers.mjs], listen: { env: PORT }, ready: { http: / } } }\n',
  });
}

test('a run folder on a full disk is reported before anything starts', async () => {
  needs('linux', 'root');
  const project = chattyProject();
  const disk = path.join(project.folder, '.shakedown');
  makeSmallDisk(disk, 64);
  expect(() => writeFileSync(path.join(disk, 'ballast'), Buffer.alloc(1024 * 1024))).toThrow(/ENOSPC/);
  const result = await project.run(['up', '--', 'true']);
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toContain('error[world.disk-full]');
  expect(result.stderr).toContain('free some space');
  expect(project.left()).toEqual({ ...nothing, mounts: [disk] });
});

test('a disk that fills up while it is held takes the environment down, with the reason', async () => {
  needs('linux', 'root');
  const project = chattyProject();
  const disk = path.join(project.folder, '.shakedown');
  makeSmallDisk(disk, 512);
  const fill = `const fs = require('node:fs'); try { for (let i = 0; ; i += 1) fs.appendFileSync(process.argv[1] + '/ballast', Buffer.alloc(4096)); } catch {}
    const ask = () => fetch(process.env.SHAKEDOWN_WEB_URL, { headers: { connection: 'close' } }).then((r) => r.text());
    (async () => { for (let i = 0; i < 200; i += 1) await ask(); })().catch(() => {});`;
  const result = await project.run(['up', '--', 'node', '-e', fill, disk]);
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toContain('error[world.disk-full]');
  expect(project.left()).toEqual({ ...nothing, mounts: [disk] });
  expect(readdirSync(disk)).toContain('runs');
});

test('a disk that fills up during a trial ends the run only when everything is down', async () => {
  needs('linux', 'root');
  const project = chattyProject();
  const disk = path.join(project.folder, '.shakedown');
  makeSmallDisk(disk, 512);
  const steps = [`cat /dev/zero > ${disk}/ballast; true`, ...Array(8).fill('printf %2000d 1; sleep 0.05')];
  const written = steps.map((command) => `{ command: [sh, -c, '${command}'] }`).join(', ');
  writeFileSync(path.join(project.folder, 'fills.trial.yaml'), `id: fills\nsteps: [${written}]\n`);
  const result = await project.run(['run']);
  expect(project.left(), result.output).toEqual({ ...nothing, mounts: [disk] });
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toContain('error[world.disk-full]');
  const again = await project.run(['report']);
  expect(again.code, again.output).not.toBe(0);
});

test('a run whose reports cannot be written has no verdict to show again', async () => {
  const project = makeProject({
    'shakedown.yaml': 'name: reports\n',
    'a.trial.yaml':
      'id: a\nsteps: [{ command: [sh, -c, "mkdir -p $FOLDER/.shakedown/latest/ctrf.json/taken"], env: { FOLDER: "${env.FOLDER}" }, expect: { exitCode: 0 } }]\n',
  });
  const result = await project.run(['run'], { env: { FOLDER: project.folder } });
  expect(result.code, result.output).toBe(3);
  const again = await project.run(['report']);
  expect(again.code, again.output).toBe(2);
  expect(again.stderr).toContain('error[run.unreadable]');
});

test('a log with a secret is removed when there is no space to rewrite it', async () => {
  needs('linux', 'root');
  const project = makeProject({
    'shakedown.yaml': `name: chatty\nsecrets: [KEY]\nservices: { web: { run: [sh, -c, 'echo up $KEY; head -c 3000000 /dev/zero | tr "\\0" x; echo $KEY; echo over; exec sleep 60'], env: { KEY: "\${env.KEY}" }, ready: { log: "^over" } } }\n`,
  });
  const disk = path.join(project.folder, '.shakedown');
  makeSmallDisk(disk, 5_000);
  const result = await project.run(['up', '--', 'true'], { env: { KEY: 'the-secret-value' } });
  expect(result.code, result.output).toBe(0);
  const log = readFileSync(path.join(disk, 'latest/services/web.log'), 'utf8');
  expect(log).toMatch(/^\(removed: secrets could not be redacted in this log: ENOSPC/);
  expect(project.left()).toEqual({ ...nothing, mounts: [disk] });
});

test('a log that fills the disk may lack lines: its trial is unknown', async () => {
  needs('linux', 'root');
  const project = makeProject({
    'shakedown.yaml':
      'name: chatty\nsecrets: [KEY]\nservices: { web: { run: [node, web.mjs], listen: { env: PORT }, env: { KEY: "${env.KEY}" } } }\n',
    'web.mjs': `import { writeSync } from 'node:fs'; import { createServer } from 'node:http';
      console.log('up ' + process.env.KEY);
      const answer = (_, response) => {
        try { for (;;) writeSync(1, 'line\\n'.repeat(100)); } catch {}
        try { writeSync(1, 'ERROR: it is lost\\n'); } catch (error) { response.end(error.code); }
      };
      createServer(answer).listen(process.env.PORT, '127.0.0.1');`,
    'a.trial.yaml': 'id: a\nsteps: [{ http: GET web/, as: x, expect: { text: ENOSPC } }]\n',
  });
  const disk = path.join(project.folder, '.shakedown');
  makeSmallDisk(disk, 3_000);
  const result = await project.run(['run'], { env: { KEY: 'the-secret-value' } });
  expect(result.code, result.output).not.toBe(0);
  expect(result.output).toContain('its disk is full');
});

/** Unused shared memory of servers on a small disk: its key is the inode of the data folder, and others have large ones. */
function idleSegments(): readonly string[] {
  const [, ...rows] = readFileSync('/proc/sysvipc/shm', 'utf8').trim().split('\n');
  const fields = rows.map((row) => row.trim().split(/\s+/));
  return fields.flatMap(([key, id = '', , , , , users]) =>
    users === '0' && Number(key) < 10_000 ? [id] : [],
  );
}

test.each([
  ['namespace', 40],
  ['ledger', 20], // the server of initdb crashes
])(
  'a disk that fills up while a database is created is reported as full, and as nothing else (%s)',
  async (containment, megabytes) => {
    needs('linux', 'root');
    const before = idleSegments();
    const project = makeProject({ 'shakedown.yaml': 'name: full\nresources: { db: { kind: postgres } }\n' });
    makeSmallDisk(project.tmp, megabytes * 1024);
    const result = await project.run(['up', '--containment', containment, '--', 'true']);
    expect(result.code, result.output).toBe(3);
    expect(result.stderr).toMatch(/error\[world\.disk-full\] resource db/);
    expect(readdirSync(project.tmp)).toEqual([]);
    expect(idleSegments().filter((id) => !before.includes(id))).toEqual([]);
  },
);

test('a project on a read-only disk is a problem of the machine, not a bug', async () => {
  needs('linux', 'root');
  const project = chattyProject();
  execFileSync('mount', ['--bind', project.folder, project.folder]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', project.folder]));
  execFileSync('mount', ['-o', 'remount,ro,bind', project.folder]);
  const result = await project.run(['up', '--', 'true']);
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toMatch(/^error\[world\.not-writable\]/);
  expect(result.stderr).toContain('.shakedown');
  const doctor = await project.run(['doctor']);
  expect(doctor.stdout).toMatch(/^no +disk +nothing can be written: EROFS/m);
  expect(doctor.stdout).toMatch(/^no +run folders .*EROFS.*\n +next: its file system is read-only: mount/m);
  expect(project.left()).toEqual({ ...nothing, mounts: [project.folder] });
});

test.each([
  ['read-only', 'ro', /^error\[world\.not-writable\] the temporary folder/],
  ['full', 'nr_inodes=1', /^error\[world\.disk-full\] the temporary folder/],
])('a temporary folder on a disk that is %s is named', async (_, option, error) => {
  needs('linux', 'root');
  const project = chattyProject();
  execFileSync('mount', ['-t', 'tmpfs', '-o', option, 'tmpfs', project.tmp]);
  onTestFinished(() => void execFileSync('umount', ['--lazy', project.tmp]));
  const result = await project.run(['up', '--', 'true']);
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toMatch(error);
  expect(result.stderr).toContain('point TMPDIR elsewhere');
  expect(result.stderr).not.toContain(' at ');
});

test.each([23, 24])('only %i open files: the limit is reported, and how to raise it', async (most) => {
  needs('linux');
  const project = chattyProject();
  const limited = `ulimit -n ${most}; exec "$0" "$1" up -- true`;
  const result = await runCommand(['sh', '-c', limited, process.execPath, binary], {
    cwd: project.folder,
    env: project.env,
  });
  expect(result.code, result.output).toBe(3);
  expect(result.stderr).toMatch(/^error\[world\.not-permitted\]/);
  expect(result.stderr).toContain(`at most ${most} open files`);
  expect(result.stderr).toContain('ulimit -n 65536');
  expect(result.output).not.toContain('shakedown.bug');
  expect(project.left()).toEqual(nothing);
});

test.each([
  ['up -- true', 1],
  ['run', 2],
])(
  '%s where no file may have more than %i KB: the limit is reported, and how to raise it',
  async (verb, most) => {
    needs('linux');
    const project = chattyProject();
    writeFileSync(
      path.join(project.folder, 'says.trial.yaml'),
      'id: says\nsteps: [{ command: echo hello }]\n',
    );
    const limited = `trap '' XFSZ; ulimit -f ${most * 2}; exec "$0" "$1" ${verb}`;
    const result = await runCommand(['sh', '-c', limited, process.execPath, binary], {
      cwd: project.folder,
      env: project.env,
    });
    expect(result.code, result.output).toBe(3);
    expect(result.stderr).toMatch(/^error\[world\.not-permitted\]/m);
    expect(result.stderr).toContain('ulimit -f unlimited');
    expect(result.output).not.toContain('shakedown.bug');
    await until('nothing is left', 10_000, project.left, isNothing);
  },
);
