import { expect, test } from 'vitest';
import {
  type Env,
  type Files,
  loadProject,
  messageOf,
  serviceOf,
} from '../../../test/harness/config-project.ts';

const shop = `services:
  web:
    image: web
    ports: ["8080:80"]
    environment: { DB: "postgres://app:pw@db:5432/shop", TOKEN: "\${TOKEN:-none}", SHELL_LATER: "$\${HOME}" }
    depends_on: { db: { condition: service_healthy }, migrate: { condition: service_completed_successfully } }
    networks: { front: {}, back: {} }
  my_api: { image: api, expose: ["8000"], networks: { back: { aliases: [backend] } } }
  migrate: { image: web, command: migrate, depends_on: [db], networks: [back] }
  db:
    image: postgres:16
    environment: { POSTGRES_USER: app, POSTGRES_PASSWORD: pw, POSTGRES_DB: shop }
    networks: [back]
  far: { image: redis, networks: [front] }
networks: { front: {}, back: {} }
`;
const load = (config: string, more: Files = {}, env: Env = {}) =>
  loadProject({ 'docker-compose.yml': shop, 'shakedown.yaml': `name: a\n${config}`, ...more }, env);
const shown = (config: string, compose = shop, more: Files = {}, env: Env = {}) =>
  messageOf({ 'docker-compose.yml': compose, 'shakedown.yaml': `name: a\n${config}`, ...more }, env);
const bad = (compose: string, more: Files = {}) => shown('compose: docker-compose.yml\n', compose, more);

test('a worker that shares the image of a web server does not listen on the port that the image exposes', async () => {
  const shared = `services:
  web: { build: ./app }
  worker: { build: ./app, command: python worker.py }
  alone: { build: ./other, command: python other.py }
`;
  const files = { 'app/Dockerfile': 'FROM x\nEXPOSE 5000\n', 'other/Dockerfile': 'FROM x\nEXPOSE 7000\n' };
  const system = await load('compose: docker-compose.yml\n', { 'docker-compose.yml': shared, ...files });
  expect(serviceOf(system, 'web').ready).toMatchObject({ otherwise: { probe: 'any' } });
  expect(serviceOf(system, 'worker')).toMatchObject({
    listen: [],
    ready: { otherwise: { probe: 'started' } },
  });
  expect(serviceOf(system, 'alone')).toMatchObject({ ready: { otherwise: { probe: 'any' } } });
});

test('services and jobs, what they wait for, their ports and their peers', async () => {
  const system = await load('compose: docker-compose.yml\n');
  expect(system.jobs.map(({ name, after }) => [name, after])).toEqual([['migrate', ['db']]]);
  expect(system.services.map(({ name }) => name)).toEqual(['db', 'web', 'my-api', 'far']);
  const web = serviceOf(system, 'web');
  expect(web.after).toEqual(['db', 'migrate']);
  expect(web.listen).toEqual([{ name: 'main', scheme: 'http', how: { by: 'fixed', port: 80 } }]);
  expect(web.env).toEqual({
    DB: 'postgres://app:pw@db:5432/shop',
    TOKEN: 'none',
    SHELL_LATER: '$${HOME}',
  });
  const main = (port: number) => [{ port, listener: 'main' }];
  expect(web.container?.peers).toEqual([
    { name: 'db', to: 'db', ports: main(5432) },
    { name: 'my_api', to: 'my-api', ports: main(8000) },
    { name: 'backend', to: 'my-api', ports: main(8000) },
    { name: 'far', to: 'far', ports: main(6379) },
  ]);
  // Only those in a network that both are in.
  expect(serviceOf(system, 'far').container?.peers.map(({ name }) => name)).toEqual(['web']);
  expect(serviceOf(system, 'db').listen).toMatchObject([{ scheme: 'postgres' }]);
});

test('a database whose image starts twice is ready when it is healthy and its port is open; others when they are healthy', async () => {
  const healthcheck = 'healthcheck: { test: pg_isready }';
  const compose = `services:\n  db: { image: "postgres:16", ${healthcheck} }\n  cache: { image: redis, ${healthcheck} }\n`;
  const files = { 'docker-compose.yml': compose, 'shakedown.yaml': 'name: a\ncompose: docker-compose.yml\n' };
  const system = await loadProject(files);
  const health = { probe: 'health' };
  const both = { probe: 'all', of: [health, { probe: 'tcp', listener: 'main' }] };
  expect(serviceOf(system, 'db').ready).toMatchObject(both);
  expect(serviceOf(system, 'cache').ready).toMatchObject(health);
});

test('an embedded database in the place of a service, with the login that consumers have built in', async () => {
  const system = await load('compose: docker-compose.yml\nreplace: { db: postgres }\n');
  expect(system.resources).toEqual([
    {
      kind: 'postgres',
      name: 'db',
      share: 'database',
      settings: {},
      login: { user: 'app', password: 'pw', database: 'shop' },
    },
  ]);
  expect(system.services.map(({ name }) => name)).toEqual(['web', 'my-api', 'far']);
  expect(serviceOf(system, 'web').container?.peers[0]).toEqual({
    name: 'db',
    to: 'db',
    ports: [{ port: 5432, listener: 'main' }],
  });
});

test('a process in the place of a service is reached under the name and port of that', async () => {
  const system = await load(`compose: docker-compose.yml
replace: { my_api: api }
services: { api: { run: node api.js, listen: { env: PORT } } }
`);
  const peers = serviceOf(system, 'web').container?.peers.filter(({ to }) => to === 'api');
  expect(peers).toEqual([
    { name: 'my_api', to: 'api', ports: [{ port: 8000, listener: 'main' }] },
    { name: 'backend', to: 'api', ports: [{ port: 8000, listener: 'main' }] },
  ]);
});

test('what the config adds', async () => {
  const system = await load(
    `compose:
  files: docker-compose.yml
  env: { TOKEN: 0123 }
  services:
    web: { env: { DB: "\${other.url}" }, ready: { http: /health }, stop: { within: 2s } }
    my_api: { as: job, within: 9s }
resources: { other: { kind: postgres } }
`,
    {},
    { TOKEN: 'shell' },
  );
  const web = serviceOf(system, 'web');
  expect(web.env).toMatchObject({ DB: '${other.url}', TOKEN: '0123' });
  expect(web.after).toContain('other');
  expect(web.ready).toMatchObject({ probe: 'http', path: '/health' });
  expect(web.stop.withinMs).toBe(2_000);
  expect(system.jobs.map(({ name, withinMs }) => [name, withinMs])).toEqual([
    ['migrate', 120_000],
    ['my-api', 9_000],
  ]);
});

test('one name for one thing, unless one stands in for the other', async () => {
  expect(await shown('compose: docker-compose.yml\nservices: { web: { run: x } }\n')).toMatchInlineSnapshot(`
    "error[config.duplicate-name] ~/docker-compose.yml:2:3
      1 | services:
      2 |   web:
        |   ^^^
      what     \`web\` is a service of the compose file, and \`web\` is in \`services\` of the config
      allowed  one name for one thing, unless one stands in for the other
      next     write \`replace: { web: web }\` for the one in the config, or rename it there; additions belong to \`compose: { files: …, services: { web: … } }\`"
  `);
});

test('what is refused points at its place, in the config or in the compose file', async () => {
  expect(
    await shown('compose: docker-compose.yml\nreplace: { bd: postgres, web: postgrse }\n'),
  ).toMatchInlineSnapshot(`
    "error[config.unknown-name] ~/shakedown.yaml:3:12
      2 | compose: docker-compose.yml
      3 | replace: { bd: postgres, web: postgrse }
        |            ^^
      what     \`bd\` is not a service of the compose files
      allowed  db, migrate, web, my_api, far
      next     did you mean \`db\`?

    error[config.unknown-name] ~/shakedown.yaml:3:31
      2 | compose: docker-compose.yml
      3 | replace: { bd: postgres, web: postgrse }
        |                               ^^^^^^^^
      what     nothing is called \`postgrse\`, and it is not a kind that works by itself
      allowed  postgres, redis, model, telemetry
      next     did you mean \`postgres\`?"
  `);
  expect(
    await bad(shop.replace('ports:', 'prots:').replace('networks: [front]', 'networks: [frnot]')),
  ).toMatchInlineSnapshot(`
    "error[config.unknown-key] ~/docker-compose.yml:4:5
      3 |     image: web
      4 |     prots: ["8080:80"]
        |     ^^^^^
      what     \`prots\` is not a key of the service \`web\`
      allowed  image, build, platform, pull_policy, command, entrypoint, working_dir, user, group_add, environment, env_file, extends, profiles, depends_on, healthcheck, restart, deploy, ports, expose, networks, links, extra_hosts, dns, dns_search, dns_opt, hostname, domainname, container_name, volumes, tmpfs, configs, secrets, labels, init, tty, stdin_open, read_only, cap_add, cap_drop, security_opt, privileged, devices, gpus, device_cgroup_rules, cgroup_parent, pid, ipc, uts, userns_mode, cgroup, network_mode, stop_signal, stop_grace_period, shm_size, sysctls, ulimits, mem_limit, mem_reservation, memswap_limit, cpus, cpuset, cpu_shares, pids_limit, oom_score_adj, oom_kill_disable, runtime
      next     did you mean \`ports\`?

    error[config.unknown-name] ~/docker-compose.yml:14:35
      13 |     networks: [back]
      14 |   far: { image: redis, networks: [frnot] }
         |                                   ^^^^^
      what     \`far\` uses \`frnot\`, which \`networks\` of the file does not have
      allowed  front, back
      next     did you mean \`front\`?"
  `);
  expect(await bad(shop.replace('image: redis,', 'image: redis, privileged: true,'))).toMatchInlineSnapshot(`
    "error[config.bad-value] ~/docker-compose.yml:14:3
      13 |     networks: [back]
      14 |   far: { image: redis, privileged: true, networks: [front] }
         |   ^^^
      what     the container of \`far\` is privileged: it may do all that root may on this machine
      allowed  such a container with a reason in the config: \`allow: { privileged: why it must }\`
      next     add to the config: \`compose: { files: …, services: { far: { allow: { privileged: '…' } } } }\`"
  `);
  expect(await bad(shop.replace('${TOKEN:-none}', '${TOKEN:?ask the team}'))).toMatchInlineSnapshot(`
    "error[compose.variable] ~/docker-compose.yml:5:66
      4 |     ports: ["8080:80"]
      5 |     environment: { DB: "postgres://app:pw@db:5432/shop", TOKEN: "\${TOKEN:?ask the team}", SHELL_LATER: "$\${HOME}" }
        |                                                                  ^^^^^^^^^^^^^^^^^^^^^^
      what     the variable TOKEN is not set, and must be given: ask the team
      allowed  \`\${NAME}\`, \`\${NAME:-default}\`, \`\${NAME:?message}\`, \`\${NAME:+other}\`, \`$$\` for a plain \`$\`
      next     export TOKEN=…, or write it to the .env file"
  `);
});

test('bad files', async () => {
  expect(await bad('services: [a]\n')).toContain('what     `services` is a list');
  expect(await bad('services: {}\n')).toContain('the compose files have no services');
  expect(await bad('services: { a: { image: x, profiles: [p] } }\n')).toContain('name one of the profiles p');
  expect(await bad('- a\n')).toContain('what     a compose file is a map, and this is a list');
  expect(
    await bad('services: { a: { image: x, depends_on: [b] }, b: { image: x, depends_on: [a] } }\n'),
  ).toContain('these wait for each other: a → b → a');
  expect(
    await bad('services: { a: { extends: { service: b } }, b: { extends: { service: a } } }\n'),
  ).toContain('these extend each other: a → b → a');
  expect(await bad('include: [other.yml]\n', { 'other.yml': 'include: [docker-compose.yml]\n' })).toContain(
    'these files include each other: docker-compose.yml → other.yml → docker-compose.yml',
  );
  expect(await bad('include: [gone.yml]\n')).toContain('error[compose.not-found] ~/docker-compose.yml:1:11');
  expect(await shown('compose: gone.yml\n')).toContain('error[compose.not-found] ~/shakedown.yaml:2:10');
  expect(await bad('services: { a: { image: x, env_file: gone.env } }\n')).toContain(
    'there is no env file ~/gone.env',
  );
  expect(await bad('services: { a: { image: x, ports: ["80:90:x"] } }\n')).toContain(
    '`ports` is `"80:90:x"`',
  );
  expect(await bad('services: { a: { image: x, network_mode: "service:b" }, b: { image: x } }\n')).toContain(
    'containers do not share their namespaces',
  );
  expect(await bad('services: { a: { image: x, volumes: [data:/data] } }\n')).toContain(
    '`a` uses `data`, which `volumes` of the file does not have',
  );
});

test('huge files end', async () => {
  const level = (name: string, of: string) => `${name}: &${name} [${Array.from({ length: 9 }, () => of)}]\n`;
  const bomb = ['b', 'c', 'd', 'e', 'f', 'g', 'h'].reduce(
    (text, one, index) => text + level(`x-${one}`, `*x-${'abcdefg'[index]}`),
    'x-a: &x-a [1]\n',
  );
  expect(await bad(`${bomb}services: { a: { image: x } }\n`)).toContain('more than 200000 values');
  const many = Array.from({ length: 501 }, (_, index) => `  s${index}: { image: x }\n`).join('');
  expect(await bad(`services:\n${many}`)).toContain('at most 500 services');
  const deep = `${'['.repeat(120)}${']'.repeat(120)}`;
  expect(await bad(`x-deep: ${deep}\nservices: { a: { image: x } }\n`)).toContain(
    'nested more than 100 deep',
  );
});

test('a secret that only the .env file has is refused, because it could not be hidden', async () => {
  const message = await shown('compose: docker-compose.yml\nsecrets: [TOKEN]\n', shop, {
    '.env': 'TOKEN=hush\n',
  });
  expect(message).toContain('the secret TOKEN is only in the .env file of the compose project');
  expect(message).not.toContain('hush');
});
