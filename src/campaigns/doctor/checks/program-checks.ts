/** Programs that Shakedown can work without: optional ones, and docker. */

import { access, constants } from 'node:fs/promises';
import { limits } from '../../../kernel/limits.ts';
import { problemsIn } from '../../../kernel/problem.ts';
import { findPackage } from '../../../resources/postgres/embedded/embedded-form.ts';
import { askProgram, locate } from './ask-program.ts';
import type { Check, Surroundings } from './check.ts';

/** An optional program: installed, and able to print its version. */
export function programCheck(program: OptionalProgram): Check {
  const { name, others = [], version = '--version', use, debian = name, macos = name } = program;
  const next = installHint({ debian, macos });
  return {
    name,
    otherwise: 'optional-missing',
    byHand: `${name} ${version}`,
    look: async ({ host }, signal) => {
      if (program.linuxOnly && process.platform !== 'linux') return undefined;
      const file = [name, ...others]
        .map((command) => locate(host, command))
        .find((found) => found !== undefined);
      if (file === undefined) return { state: 'optional-missing', detail: `not on PATH; for ${use}`, next };
      const { code, said } = await askProgram(host, file, [version], signal);
      // A wrapper may print warnings before the program prints its version.
      if (code === 0)
        return { state: 'ok', detail: said.find((line) => /\d\.\d/.test(line)) ?? said[0] ?? file };
      const detail = `${file} exists but does not run: ${said.at(-1) ?? `exit code ${code}`}; for ${use}`;
      return { state: 'optional-missing', detail, next };
    },
  };
}

const use = 'for services and resources in containers';

/** The docker engine: an installed client proves nothing, so the server is asked. */
export const dockerCheck: Check = {
  name: 'docker engine',
  otherwise: 'optional-missing',
  byHand: 'docker version',
  look: async ({ host }, signal) => {
    const docker = locate(host, 'docker');
    if (docker === undefined) {
      const next = installHint({ debian: 'docker.io', macos: 'colima docker && colima start' });
      return { state: 'optional-missing', detail: `not on PATH; ${use}`, next };
    }
    const format = ['version', '--format', '{{.Server.Version}}'];
    const { code, said } = await askProgram(host, docker, format, signal);
    if (code === 0 && said[0]) return { state: 'ok', detail: said[0] };
    const next =
      process.platform === 'darwin'
        ? 'start it: colima start, or open Docker Desktop'
        : 'start it: sudo systemctl start docker; and be in the group docker';
    const detail = `${docker} reaches no engine; ${use}: ${said.at(-1) ?? `exit code ${code}`}`;
    return { state: 'optional-missing', detail, next };
  },
};

export interface Packages {
  readonly debian: string;
  readonly macos: string;
}

/** How to install a program with this machine's package manager. */
function installHint({ debian, macos }: Packages): string {
  return process.platform === 'darwin' ? `brew install ${macos}` : `on Debian: apt-get install ${debian}`;
}

interface OptionalProgram extends Partial<Packages> {
  /** Also of its packages, where these have no name of their own. */
  readonly name: string;
  /** The same program under its other names. */
  readonly others?: readonly string[];
  /** The argument that makes it print its version; `--version` if absent. */
  readonly version?: string;
  /** What it is for. */
  readonly use: string;
  readonly linuxOnly?: boolean;
}

/** Programs that Shakedown can work without, each with what it is for and how to get it. */
export const optionalPrograms: readonly OptionalProgram[] = [
  { name: 'unshare', use: 'PID namespaces', debian: 'util-linux', linuxOnly: true },
  { name: 'git', use: 'recording which revision a run has tested, in a later version' },
  { name: 'tmux', version: '-V', use: 'driving programs on a terminal, in a later version' },
  {
    name: 'chromium',
    others: ['chromium-browser', 'google-chrome', 'google-chrome-stable'],
    use: 'driving web pages, in a later version',
    macos: '--cask chromium',
  },
  {
    name: 'redis-server',
    others: ['valkey-server'],
    use: 'resources of `kind: redis` without a `url`',
    macos: 'redis',
  },
  { name: 'nats-server', use: 'sharing the work of a campaign between machines, in a later version' },
  {
    name: 'strace',
    version: '-V',
    use: 'seeing what a process did to the machine, in a later version',
    linuxOnly: true,
  },
];

/** The embedded PostgreSQL: required as soon as the config has a database without a `url`. */
export const postgresCheck: Check = {
  name: 'embedded postgres',
  otherwise: 'optional-missing',
  withinMs: limits.configImportMs + 2_000,
  look: async (surroundings) => {
    try {
      const found = await findPackage('embedded postgres', [surroundings.folder]);
      await access(found.postgres, constants.X_OK);
      return { state: 'ok', detail: `PostgreSQL ${found.version} of ${found.name}` };
    } catch (error) {
      const [problem] = problemsIn(error);
      const needed = await wantedBy(surroundings);
      return {
        state: needed ? 'missing' : 'optional-missing',
        detail: `${problem?.what}; ${needed ? `the resource \`${needed}\` needs it` : 'for databases of `kind: postgres` without a `url`'}`,
        next:
          problem?.code === 'world.missing-package'
            ? problem.next
            : 'install the package again, with the execute bits of its files',
      };
    }
  },
};

async function wantedBy({ config }: Surroundings): Promise<string | undefined> {
  const look = await config;
  if (look.kind !== 'loaded') return undefined;
  return look.system.resources.find((resource) => resource.kind === 'postgres' && resource.url === undefined)
    ?.name;
}
