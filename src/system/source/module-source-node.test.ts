import { expect, test } from 'vitest';
import { loadInNode, messageOfNode } from '../../../test/harness/config-project.ts';

/** Where each problem is and what it is about. */
async function briefly(config: string, files = {}): Promise<string[]> {
  const shown = await messageOfNode({ 'shakedown.config.ts': config, ...files });
  return shown.split('\n\n').map((problem) => {
    const at = /shakedown\.config\.ts:(\S+)/.exec(problem)?.[1];
    return `${at} ${/^ {2}what {5}(.*)$/m.exec(problem)?.[1]}`;
  });
}

test('keys in literals, constants, spreads and our own calls', async () => {
  const config = `import { defineSystem, postgres, type SystemDocument } from 'shakedown';
const common = { 'redy': { tcp: true } };
const services = { web: { run: ['x'], ...common }, api: { runn: 'x' } } as unknown;
export default defineSystem({
  name: 'a',
  resources: { db: postgres({ schemaPerServce: true }) },
  services,
  gates: { pr: { skip: 'forbid' } } as SystemDocument['gates'],
} as SystemDocument);
`;
  expect(await briefly(config)).toEqual([
    '2:18 `redy` is not a key of `services.web`',
    '3:59 `runn` is not a key of `services.api`',
    '6:31 `schemaPerServce` is not a key of `resources.db`',
    '8:18 `skip` is not a key of `gates.pr`',
  ]);
});

test('references made by ref(), in quotes and in templates', async () => {
  const config = `import { defineSystem, ref } from 'shakedown';
export default defineSystem({
  name: 'a',
  services: {
    web: { run: ['x', ref('bd.url'), '\\t\${env.NOPE} \${env.NOPE}', \`\\\${slef.port}\`], after: ['apii'] },
  },
});
`;
  expect(await briefly(config)).toEqual([
    '5:28 unknown name `bd`',
    '5:41 the environment variable NOPE is not set',
    '5:53 the environment variable NOPE is not set',
    '5:69 unknown name `slef`',
    '5:93 unknown name `apii`',
  ]);
});

test('a problem with a computed value is reported at the nearest known key, with its path', async () => {
  const config = `import { defineSystem } from 'shakedown';
import { other } from './other.ts';
const make = (run: string) => ({ run, redy: 1 });
export default defineSystem({
  name: 'a',
  services: { ...other, made: make('x') },
} as never);
`;
  const files = { 'other.ts': "export const other = { imported: { run: ['x'], evn: {} } };\n" };
  expect(await briefly(config, files)).toEqual([
    '6:3 `evn` is not a key of `services.imported`',
    '6:25 `redy` is not a key of `services.made`',
  ]);
  const references = { 'other.ts': "export const other = { imported: { run: ['${nowhere.url}'] } };\n" };
  const plain = config.replace(", made: make('x')", '');
  expect(await briefly(plain, references)).toEqual([
    '6:3 unknown name `nowhere`, in `services.imported.run[0]`',
  ]);
});

test('the same document in TypeScript and in YAML is the same system', async () => {
  const config = `import { defineSystem, postgres, ref } from 'shakedown';
export default defineSystem({
  name: 'a',
  resources: { db: postgres({ databasePerService: true, settings: { max_connections: 20 } }) },
  services: { web: { run: 'x', listen: 'auto', env: { URL: ref('db.url'), N: 1 } } },
});
`;
  const yaml = `name: a
resources: { db: { kind: postgres, databasePerService: true, settings: { max_connections: 20 } } }
services: { web: { run: x, listen: auto, env: { URL: "\${db.url}", N: 1 } } }
`;
  const strip = ({
    file: _file,
    folder,
    configHash: _hash,
    ...rest
  }: Awaited<ReturnType<typeof loadInNode>>): unknown =>
    JSON.parse(JSON.stringify(rest).replaceAll(folder, '~'));
  const fromModule = strip(await loadInNode({ 'shakedown.config.ts': config }));
  expect(fromModule).toEqual(strip(await loadInNode({ 'shakedown.yaml': yaml })));
  expect(fromModule).toMatchObject({
    resources: [{ share: 'database-per-service', settings: { max_connections: '20' } }],
  });
});
