/** Containers that `docker run` or `docker create` made: they belong to the docker engine, and go on when their client is killed. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Clock } from '../../kernel/clock.ts';
import { waitFor } from '../../kernel/deadline.ts';
import { defined } from '../../kernel/defined.ts';
import { limits } from '../../kernel/limits.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Ledger, LedgerEntry } from './ledger.ts';
import { openProcessTable } from './process-table.ts';

/** A container that is ours if it was made since: the engine gives a name to nobody else as long as it is in use. */
export interface NamedContainer {
  readonly name: string;
  /** Milliseconds since 1970: its client was not yet started then. */
  readonly since: number;
  /** The engine, where `DOCKER_HOST` says which. */
  readonly host?: string;
}

interface ClientOptions {
  /** Whose process it is, such as `service api`. */
  readonly name: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export function openContainers(
  { clock, ledger }: { readonly clock: Clock; readonly ledger: Ledger },
  { name: owner, argv, env }: ClientOptions,
) {
  const engine = defined({ since: clock.now(), host: env.DOCKER_HOST });
  const names = new Set<string>();
  const killed: ContainerRun[] = [];
  for (const { name } of containerRunsIn(argv.join(' '))) {
    if (name === undefined) continue;
    names.add(name);
    ledger.write({ entry: 'container', name, ...engine });
  }
  return {
    /** To be called before its group is killed: only then are the clients there that leave a container running. */
    look: (group: number): void => {
      const table = openProcessTable();
      killed.push(...table.membersOf(group).flatMap((pid) => containerRunsIn(table.commandLine(pid))));
      for (const { name } of killed) if (name !== undefined) names.add(name);
    },
    /** Removes those that are certainly its own; throws when one runs that may be. */
    end: async (): Promise<void> => {
      const left: string[] = [];
      for (const name of names) left.push(...(await removeContainer({ name, ...engine }, clock)));
      const unnamed = killed.filter(({ name }) => name === undefined).flatMap(({ words }) => words);
      if (unnamed.length > 0) left.push(...(await runningSince(engine, unnamed)));
      if (left.length > 0) throw stillRuns(owner, left);
    },
  };
}

/** What one process of an environment, and whoever it starts, does with containers. */
export type Containers = ReturnType<typeof openContainers>;

export interface ContainerRun {
  readonly name?: string;
  /** What follows `run`; one of them is the image. */
  readonly words: readonly string[];
}

const shell = /^(?:\S*\/)?(?:a|ba|da|k|z)?sh\s+(?:-\S+\s+)*?-\w*c\s+/;
const dockerRun =
  /^\s*(?:exec\s+|\w+=\S*\s+)*(?:\S*\/)?docker\s+(?:(?!(?:exec|compose|network|volume|service|secret|config|context|plugin|manifest|buildx|swarm|image)\s)\S+\s+){0,4}?(?:run|create)\s+(.*)/s;
const nameOption = /(?:^|\s)--name[\s=]["']?([a-zA-Z0-9][\w.-]*)/;

/** The containers that a command line starts: as the command itself, or as a command of its shell. */
export function containerRunsIn(commandLine: string): readonly ContainerRun[] {
  const script = commandLine.replace(shell, '').replaceAll('\\\n', ' ');
  const commands = shell.test(commandLine) ? script.split(/[;&|(\n]+/) : [commandLine];
  return commands.flatMap((command) => {
    const [, rest] = dockerRun.exec(command) ?? [];
    if (rest === undefined) return [];
    const [, name] = nameOption.exec(rest) ?? [];
    return [defined({ words: rest.split(/\s+/), name })];
  });
}

/** All that the ledger names; gives what stays. */
export async function removeContainers(
  entries: readonly LedgerEntry[],
  clock: Clock,
): Promise<readonly string[]> {
  const named = entries.filter((entry) => entry.entry === 'container');
  // A service that was started again has several entries; the first has the earliest time.
  const first = new Map(named.toReversed().map((entry) => [`${entry.host} ${entry.name}`, entry]));
  const left: string[] = [];
  for (const container of first.values()) left.push(...(await removeContainer(container, clock)));
  return left;
}

/** The engine may have a clock of its own, and lists times in whole seconds. */
const clockDifferenceMs = 1_000;

/** Nothing to do for one that is not there, or was there before. */
async function removeContainer(
  { name, since, host }: NamedContainer,
  clock: Clock,
): Promise<readonly string[]> {
  const created = (): Promise<string | undefined> =>
    askDocker(host, ['inspect', '--type', 'container', '--format', '{{.Created}}', name]);
  if (!(Date.parse((await created()) ?? '') >= since - clockDifferenceMs)) return [];
  // With `--rm`, the engine may be about to remove it, and refuses us meanwhile.
  const isGone = await waitFor(clock, { withinMs: limits.killedSweepMs }, async () => {
    await askDocker(host, ['rm', '--force', '--volumes', name]);
    return (await created()) === undefined ? true : undefined;
  });
  return isGone ? [] : [`container ${name}; remove it: docker rm --force ${name}`];
}

/** Those of one of these images. */
async function runningSince(
  { since, host }: Omit<NamedContainer, 'name'>,
  images: readonly string[],
): Promise<readonly string[]> {
  const rows = await askDocker(host, ['ps', '--format', '{{.ID}} {{.Image}} {{.CreatedAt}}']);
  return (rows ?? '').split('\n').flatMap((row) => {
    const [id, image = '', day, time, zone] = row.split(' ');
    const isOne = images.includes(image) && Date.parse(`${day}T${time}${zone}`) >= since - clockDifferenceMs;
    return isOne ? [`container ${id} of image ${image}; remove it: docker rm --force ${id}`] : [];
  });
}

/** Undefined when it refuses, or no engine answers: then no container runs either. */
async function askDocker(host: string | undefined, words: readonly string[]): Promise<string | undefined> {
  const engine = host === undefined ? [] : ['--host', host];
  try {
    return (await promisify(execFile)('docker', [...engine, ...words], { timeout: 10_000 })).stdout.trim();
  } catch {
    return undefined;
  }
}

function stillRuns(owner: string, left: readonly string[]): Problem {
  return new Problem({
    code: 'left.behind',
    where: `teardown, ${owner}`,
    what: `\`docker run\` had to be killed, and what it may have started still runs: ${left.join('; ')}`,
    allowed: 'a container that ends with its client (`--init`), or has a name by which it can be removed',
    next: 'see whose it is (docker ps) and remove it; then add `--rm --init --name shakedown-${environment.id}` to the command',
  });
}
