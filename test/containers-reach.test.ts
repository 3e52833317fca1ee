/** Where the mounts of a container lead when links are followed, and what the options of a volume make of it. */
import { readdirSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { nodeImage } from './harness/container-image.ts';
import { makeProject } from './harness/project.ts';
import { nothing } from './harness/until.ts';

const withinMs = 240_000;

test('a link is copied as what it leads to, and a volume that binds a folder is a copy of it', async () => {
  const project = makeProject({
    'docker-compose.yml': `services:
  box:
    image: ${nodeImage()}
    command: [sh, -c, 'cat /o/kept /v/kept /f && echo x > /o/new && node -e "fs.rmSync(\\"/v/kept\\")" && echo all is well']
    volumes: ["./link:/o", "v:/v", "./file:/f"]
volumes: { v: { driver: local, driver_opts: { type: none, o: bind, device: ./real } } }
`,
    'shakedown.yaml': 'name: a\ncompose: { files: docker-compose.yml, services: { box: { as: job } } }\n',
    'real/kept': 'here',
  });
  symlinkSync('real', path.join(project.folder, 'link'));
  symlinkSync('real/kept', path.join(project.folder, 'file'));
  const result = await project.run(['up', '--', 'true'], { withinMs });
  expect(result.code, result.output).toBe(0);
  expect(readdirSync(path.join(project.folder, 'real'))).toEqual(['kept']);
  expect(project.left()).toEqual(nothing);
});

test.each([
  ['/run:/o:ro', '/run, which leads to /run/docker.sock'],
  ['/:/o:ro', '/, which leads to /run/docker.sock'],
  ['./engine:/o:ro', '/engine, which leads to /run/docker.sock'],
  ['nfs:/o', 'writes into the volume nfs (driver local, type nfs, device :/srv), which outlives'],
  ['engine:/o:ro', '/run, which leads to /run/docker.sock'],
])('%s needs a reason', async (mount, what) => {
  const options = 'nfs: { driver_opts: { type: nfs, device: ":/srv", o: "addr=10.0.0.1,rw" } }';
  const project = makeProject({
    'docker-compose.yml': `services: { box: { image: any, volumes: ["${mount}"] } }
volumes: { ${options}, engine: { driver_opts: { o: bind, device: /run } } }
`,
    'shakedown.yaml': 'name: a\ncompose: docker-compose.yml\n',
  });
  symlinkSync('/var/run/docker.sock', path.join(project.folder, 'engine'));
  const result = await project.run(['lint']);
  expect(result.code, result.output).toBe(2);
  expect(result.stderr).toContain(what);
});
