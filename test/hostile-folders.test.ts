/** Whatever services do to their folders: clean-up stays inside the workspace, and reports what it cannot remove. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { holdEnvironment } from './harness/held-environments.ts';
import { needs } from './harness/needs.ts';
import { binary, makeProject, type Project } from './harness/project.ts';
import { runCommand } from './harness/run-command.ts';
import { latestVerdict } from './harness/trials-project.ts';
import { isNothing, nothing, until } from './harness/until.ts';

/** A service that runs this as a shell script, then waits; `$W` is the workspace, `$X` a folder outside of it. */
function hostileProject(script: string, more = ''): Project & { readonly outside: string } {
  const project = makeProject({
    'shakedown.yaml': `
name: hostile
services:
  bad:
    run: [sh, hostile.sh]
    ready: { log: up, within: 20s }
    stop: { within: 300ms }
    env: { X: "\${config.dir}/outside", KEY: "\${env.API_KEY:-none}" }
${more}`,
    'settings.tmpl': '{}',
    'hostile.sh': `W=\${HOME%/bad/home}\n${script}\necho up\nexec sleep 600\n`,
  });
  const outside = path.join(project.folder, 'outside');
  mkdirSync(path.join(outside, 'inner'), { recursive: true });
  writeFileSync(path.join(outside, 'inner', 'precious'), 'precious', { mode: 0o640 });
  onTestFinished(() => expect(outsideOf(outside)).toEqual(['inner', 'precious']));
  return { ...project, outside };
}

function outsideOf(outside: string): readonly string[] {
  expect(readFileSync(path.join(outside, 'inner', 'precious'), 'utf8')).toBe('precious');
  return [...readdirSync(outside), ...readdirSync(path.join(outside, 'inner'))];
}

test('links in places that are wiped, moved or written are not followed when the environment is made fresh', async () => {
  const project = hostileProject(
    'test -e "$W/.wiped" || ln -s "$X" "$W/.wiped"; rm -rf "$W/bad/home" "$W/bad/dir"; ln -s "$X" "$W/bad/home"; ln -s "$X" "$W/bad/dir"',
    '    files: { settings.json: { template: settings.tmpl } }\n',
  );
  const { keeper, end } = await holdEnvironment(project);
  await keeper.ask('renew', { level: 'fresh' });
  await keeper.ask('renew', { level: 'fresh' });
  expect(outsideOf(project.outside)).toEqual(['inner', 'precious']);
  // Without a wipe, the link is in the way, and is reported.
  await expect(keeper.ask('renew', { level: 'restart' })).rejects.toThrow(/is in the way/);
  expect(outsideOf(project.outside)).toEqual(['inner', 'precious']);
  expect(await end()).toMatchObject([{ leftBehind: [] }]);
  await until('nothing is left', 10_000, project.left, isNothing);
});

test.each(['namespace', 'ledger'] as const)(
  'a workspace that became a link is reported, and its target stays (%s)',
  async (containment) => {
    const project = hostileProject('mv "$W" "$W.moved"; ln -s "$X" "$W"');
    const up = await project.run(['up', '--containment', containment, '--', 'true']);
    expect(up.code, up.output).toBe(7);
    expect(up.output).toMatch(/shakedown-\w{8}: .*link/);
  },
);

test.each(['namespace', 'ledger'] as const)(
  'a workspace that was moved beside its place is removed; one that was moved elsewhere is reported (%s)',
  async (containment) => {
    const beside = hostileProject('mv "$W" "$W.moved"');
    const up = await beside.run(['up', '--containment', containment, '--', 'true']);
    expect(up.code, up.output).toBe(0);
    expect(readdirSync(beside.tmp)).toEqual([]);
    const away = hostileProject('mv "$W" "$X/../away"');
    const other = await away.run(['up', '--containment', containment, '--', 'true']);
    expect(other.code, other.output).toBe(7);
    expect(other.output).toContain(`folder ${away.folder}/away: the workspace was moved there`);
  },
);

test('logs that became links or fifos are not followed during redaction', async () => {
  const project = hostileProject(
    `cd "$X/../.shakedown/latest/services"; echo the-secret-value > "$X/../told"
     ln -s "$X/../told" other.log; mkfifo pipe.log; ln -s "$X/inner/precious" bad.log.draft
     truncate -s 3000000 a.log; : > a.log.closed; echo the-secret-value > b.log; mkdir b.log.draft
     echo the-secret-value`,
  );
  const config = path.join(project.folder, 'shakedown.yaml');
  writeFileSync(config, `${readFileSync(config, 'utf8')}secrets: [KEY]\n`);
  const up = await project.run(['up', '--', 'true'], { env: { KEY: 'the-secret-value' } });
  expect(up.code, up.output).toBe(0);
  expect(readFileSync(path.join(project.folder, 'told'), 'utf8')).toBe('the-secret-value\n');
  const log = (name: string): string =>
    readFileSync(path.join(project.folder, '.shakedown/latest/services', name), 'utf8');
  expect(log('bad.log')).toContain('‹secret:KEY›');
  // A log that cannot be rewritten is removed, and does not block the others.
  expect(log('b.log')).toMatch(/^\(removed: secrets could not be redacted in this log: EISDIR/);
});

test('a workspace that is gone when a trial begins is reported', async () => {
  const project = hostileProject('rm -rf "$W"');
  const trial = `id: a\nsteps: [{ command: ['true'], as: x }]\nchecks: { x: { exchange: x, expect: { exitCode: 0 } } }\n`;
  writeFileSync(path.join(project.folder, 'a.trial.yaml'), trial);
  const run = await project.run(['run']);
  expect(run.code, run.output).toBe(3);
  expect(run.output).toMatch(/shakedown-\w{8}\n {2}what {5}the workspace of the environment is gone\n/);
  expect(project.left()).toEqual(nothing);
});

test('links, pipes and folders in place of files of the run: nothing outside is written, and nothing blocks', async () => {
  const project = hostileProject(
    `R=$(readlink -f "$X/../.shakedown/latest"); echo precious > "$X/../victim"; mkdir -p "$R/trials/b" "$R/../../cache/green"
     for name in verdict.json junit.xml ctrf.json.draft trials/b/values.seg; do ln -s "$X/../victim" "$R/$name"; done
     for name in outcome.json trials/b/events.ndjson ../../cache/green/a.json; do mkfifo "$R/$name"; done
     ln -s "$X" "$R/trials/c"`,
  );
  for (const id of ['a', 'b', 'c']) {
    const trial = `id: ${id}\nsteps: [{ command: [ls, ./], as: x }]\nchecks: { x: { exchange: x, expect: { exitCode: 0 } } }\n`;
    mkdirSync(path.join(project.folder, 'trials'), { recursive: true });
    writeFileSync(path.join(project.folder, 'trials', `${id}.trial.yaml`), trial);
  }
  const run = await project.run(['run', '--isolation', 'shared', '--parallel', '1']);
  expect(run.code, run.output).toBe(3);
  expect(run.output).toMatch(/trials\/c\n {2}what {5}an entry that is not a folder is in the way/);
  expect(readFileSync(path.join(project.folder, 'victim'), 'utf8')).toBe('precious\n');
  const { verdict } = latestVerdict(project);
  expect(verdict.trials.map((trial) => trial.verdict)).toEqual(['passed', 'passed', 'unknown']);
  expect(project.left()).toEqual(nothing);
});

test('a link in place of the folder of reference runs is not followed', async () => {
  const project = hostileProject(
    'mkdir -p "$X/../.shakedown/cache"; ln -s "$X" "$X/../.shakedown/cache/green"',
  );
  const trial = `steps: [{ command: ['true'], as: x }]\nchecks: { x: { exchange: x, expect: { exitCode: 0 } } }\n`;
  mkdirSync(path.join(project.folder, 'trials'));
  writeFileSync(path.join(project.folder, 'trials/inner.trial.yaml'), `id: inner\n${trial}`);
  const run = await project.run(['run']);
  expect(run.code, run.output).toBe(3);
  expect(run.output).toContain('.shakedown/cache/green: it is a link');
});

test('overlong paths, unreadable folders, fifos and sockets are all removed', async () => {
  needs('python3');
  const project = hostileProject(
    `cat > deep.py <<'END'
import os, socket
os.chdir(os.environ['HOME'])
socket.socket(socket.AF_UNIX).bind('socket'); os.mkfifo('fifo')
os.mkdir('closed'); open('closed/file', 'w'); os.chmod('closed', 0)
for _ in range(60): os.mkdir('d' * 200); os.chdir('d' * 200)
os.chmod('.', 0o500)
END
python3 deep.py`,
  );
  const up = await project.run(['up', '--', 'true']);
  expect(up.code, up.output).toBe(0);
  expect(project.left()).toEqual(nothing);
});

test('an immutable file is reported with the reason, with exit code 7', async () => {
  needs('linux', 'root');
  const project = hostileProject(
    'touch "$HOME/rock-$KEY" "$HOME/sand"; chattr +i "$HOME/rock-$KEY" || touch "$X/../no-chattr"',
    'secrets: [API_KEY]',
  );
  const env = { API_KEY: 'open-sesame-0123456789' };
  const up = await project.run(['up', '--containment', 'ledger', '--', 'true'], { env });
  if (existsSync(path.join(project.folder, 'no-chattr'))) return;
  const [workspace = ''] = project.left().folders;
  const home = path.join(project.tmp, workspace, 'bad/home');
  onTestFinished(() => void execFileSync('chattr', ['-R', '-i', project.tmp]));
  expect(up.code, up.output).toBe(7);
  expect(up.output).toMatch(/bad\/home\/rock-‹secret:API_KEY›: EPERM/);
  expect(readdirSync(home)).toEqual([`rock-${env.API_KEY}`]);
  const again = await project.run(['down'], { env });
  expect(again.code, again.output).toBe(7);
  const unaware = await project.run(['down']);
  expect(unaware.code, unaware.output).toBe(7);
  const grep = await runCommand(['grep', '-rl', env.API_KEY, '.shakedown'], {
    cwd: project.folder,
    env: {},
    withinMs: 10_000,
  });
  expect(grep.output).toBe('');
  execFileSync('chattr', ['-i', path.join(home, `rock-${env.API_KEY}`)]);
  expect((await project.run(['down'], { env })).code).toBe(0);
  expect(project.left()).toEqual(nothing);
});

test.each(['namespace', 'ledger'] as const)(
  'mounts of a service are never entered (%s)',
  async (containment) => {
    needs('linux', 'root');
    const project = hostileProject(
      'mkdir "$HOME/m" "$HOME/b"; mount -t tmpfs none "$HOME/m"; touch "$HOME/m/file"; mount --bind "$X" "$HOME/b"',
    );
    const up = await project.run(['up', '--containment', containment, '--', 'true']);
    const [workspace] = project.left().folders;
    if (containment === 'namespace') {
      // Its mounts vanished with the namespace.
      expect(up.code, up.output).toBe(0);
      expect(project.left()).toEqual(nothing);
      return;
    }
    const home = path.join(project.tmp, workspace ?? '', 'bad/home');
    onTestFinished(() => {
      for (const place of ['m', 'b']) execFileSync('umount', ['-l', path.join(home, place)]);
    });
    expect(up.code, up.output).toBe(7);
    expect(up.output).toMatch(/bad\/home\/m: something is mounted there/);
    expect(up.output).toMatch(/bad\/home\/b: something is mounted there/);
  },
);

test.each([
  ['/proc', 'namespace', 3, '/proc cannot be read'],
  ['"${W%/*}"', 'namespace', 0, ''],
  ['"${W%/*}"', 'ledger', 7, 'something is mounted over '],
] as const)(
  'a service that mounts over %s (%s) is not reported as a bug',
  async (place, containment, code, says) => {
    needs('linux', 'root');
    const project = hostileProject(
      `(until test -e go; do sleep 0.05; done; mount -t tmpfs none ${place}; touch done) &`,
    );
    const command = 'touch go; until test -e done; do sleep 0.05; done';
    const words = ['up', '--containment', containment, '--', 'sh', '-c', command];
    const up = await runCommand(['unshare', '--mount', process.execPath, binary, ...words], {
      cwd: project.folder,
      env: project.env,
    });
    expect(up.code, up.output).toBe(code);
    expect(up.output).not.toContain('shakedown.bug');
    expect(up.output).toContain(says);
    if (containment === 'ledger') expect((await project.run(['down'])).code).toBe(0);
    expect(project.left()).toEqual(nothing);
  },
);

test('other users cannot read the data of a service that root runs', async () => {
  needs('linux', 'root', 'setpriv');
  const project = hostileProject(
    'for d in home dir tmp; do echo data > "$W/bad/$d/data"; done; mkdir "$W/bad/given"; echo given > "$W/bad/given/file"',
    '    files: { settings.json: { template: settings.tmpl } }\n    shims: { lister: ls }\n',
  );
  const look =
    'cd "$TMPDIR"; for f in home/data dir/data dir/settings.json tmp/data given/file shims/lister; do cat shakedown-*/bad/$f; ls shakedown-*/bad/$f; done';
  const asNobody = ['setpriv', '--reuid', '65534', '--regid', '65534', '--clear-groups', 'sh', '-c'];
  execFileSync('chmod', ['755', path.dirname(project.folder)]);
  const shown = await project.run(['up', '--', ...asNobody, look]);
  expect(shown.output.match(/^(?:data|given|\{\})$/gm)).toEqual(['given']);
});

test('the contents of the workspace are removed, whichever user owns them', async () => {
  needs('linux', 'root', 'setpriv');
  const project = hostileProject(
    'mkdir "$HOME/data"; touch "$HOME/data/file"; chown -R 4711 "$HOME/data"; chmod 777 "$HOME"; exec setpriv --reuid 65534 --regid 65534 --clear-groups sh -c \'touch "$HOME/as-nobody"; echo up; exec sleep 600\'',
  );
  const { keeper, end } = await holdEnvironment(project);
  await keeper.ask('renew', { level: 'fresh' });
  expect(await end()).toMatchObject([{ leftBehind: [], problems: [] }]);
  await until('nothing is left', 10_000, project.left, isNothing);
});
