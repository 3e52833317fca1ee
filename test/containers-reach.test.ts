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
