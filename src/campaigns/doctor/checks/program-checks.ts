/** Programs that Shakedown can work without: optional ones, docker and Compose. */

import type { Host } from '../../session/host.ts';
import { askProgram, locate } from './ask-program.ts';
import type { Check } from './check.ts';
import type { OptionalProgram } from './optional-programs.ts';

/** An optional program: installed, and able to print its version. */
export function programCheck(program: OptionalProgram): Check {
  const { name, commands, version, use } = program;
  return {
    name,
    otherwise: 'optional-missing',
    byHand: [commands[0], ...version].join(' '),
    look: async ({ host }, signal) => {
      if (program.linuxOnly && process.platform !== 'linux') return undefined;
      const file = commands.map((command) => locate(host, command)).find((found) => found !== undefined);
      if (file === undefined)
        return { state: 'optional-missing', detail: `not on PATH; for ${use}`, next: installHint(program) };
      const { code, said } = await askProgram(host, file, version, signal);
      // A wrapper may print warnings before the program prints its version.
      if (code === 0)
        return { state: 'ok', detail: said.find((line) => /\d\.\d/.test(line)) ?? said[0] ?? file };
      return {
        state: 'optional-missing',
        detail: `${file} exists but does not run: ${said.at(-1) ?? `exit code ${code}`}; for ${use}`,
        next: installHint(program),
      };
    },
  };
}

const use = 'for services and resources in containers, in a later version';

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
    const { code, said } = await askProgram(
      host,
      docker,
      ['version', '--format', '{{.Server.Version}}'],
      signal,
    );
    if (code === 0 && said[0]) return { state: 'ok', detail: said[0] };
    const next =
      process.platform === 'darwin'
        ? 'start it: colima start, or open Docker Desktop'
        : 'start it: sudo systemctl start docker; and be in the group docker';
    return {
      state: 'optional-missing',
      detail: `${docker} reaches no engine; ${use}: ${said.at(-1) ?? `exit code ${code}`}`,
      next,
    };
  },
};

const ways = [
  ['docker', 'compose', 'version'],
  ['docker-compose', 'version'],
] as const;

/** Compose, as the plugin `docker compose` or as the older program `docker-compose`. */
export const composeCheck: Check = {
  name: 'docker compose',
  otherwise: 'optional-missing',
  byHand: 'docker compose version',
  look: async ({ host }, signal) => {
    const answers = await Promise.all(ways.map((way) => tryWay(host, way, signal)));
    const found = answers.find((answer) => answer !== undefined);
    if (found) return { state: 'ok', detail: found };
    return {
      state: 'optional-missing',
      detail:
        'neither `docker compose` nor `docker-compose` answers; for systems that are described by a compose file, in a later version',
      next: installHint({ debian: 'docker-compose', macos: 'docker-compose' }),
    };
  },
};

async function tryWay(
  host: Host,
  [command, ...args]: (typeof ways)[number],
  signal: AbortSignal,
): Promise<string | undefined> {
  const file = locate(host, command);
  if (file === undefined) return undefined;
  const { code, said } = await askProgram(host, file, args, signal);
  return code === 0 ? said[0] : undefined;
}

export interface Packages {
  readonly debian: string;
  readonly macos: string;
}

/** How to install a program with this machine's package manager. */
export function installHint({ debian, macos }: Packages): string {
  return process.platform === 'darwin' ? `brew install ${macos}` : `on Debian: apt-get install ${debian}`;
}
