/** Containers that clients of the docker engine made: those that are certainly ours are removed, others are named. */
import path from 'node:path';
import type { Clock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import { orElse } from '../../kernel/or-else.ts';
import { Problem } from '../../kernel/problem.ts';
import { type ContainerRun, containerRunsIn, mentionsDocker } from './container-runs.ts';
import { describeContainer, type EngineContainer, listContainers, removeContainer } from './docker-engine.ts';
import { type Ledger, type LedgerEntry, readLedger } from './ledger.ts';
import { openProcessTable } from './process-table.ts';

/** A client of the engine, and what it called its container, if that is known. */
export interface ContainerClient {
  readonly name?: string;
  /** Milliseconds since 1970: it was not yet started then. */
  readonly since: number;
  /** The engine, where `DOCKER_HOST` says which. */
  readonly host?: string;
}

/** A client that has ended by itself: it made nothing later. */
export interface EndedClient extends Required<Pick<ContainerClient, 'name' | 'since'>> {
  readonly at: number;
  readonly code: number;
}

interface ClientOptions {
  /** Whose process it is, such as `service api`. */
  readonly name: string;
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string>>;
}

export function openContainers(
  { clock, ledger, label }: { readonly clock: Clock; readonly ledger: Ledger; readonly label: string },
  { name: owner, argv, env }: ClientOptions,
) {
  const engine = defined({ since: clock.now(), host: env.DOCKER_HOST });
  const noted = new Set<string | undefined>();
  const killed: ContainerRun[] = [];
  const note = (commandLine: string): readonly ContainerRun[] => {
    const runs = containerRunsIn(commandLine);
    const unnamed = mentionsDocker(commandLine) ? [undefined] : [];
    for (const name of [...unnamed, ...runs.map((run) => run.name)]) {
      if (noted.has(name)) continue;
      noted.add(name);
      ledger.write(defined({ entry: 'container', name, ...engine }));
    }
    return runs;
  };
  const last = note(argv.join(' ')).find(({ isLast }) => isLast);
  return {
    /** When its first process has ended by itself. What cannot be written is only doubted longer. */
    ended: (code: number | null): void => {
      if (last?.name === undefined || code === null) return;
      const ended = { name: last.name, since: engine.since, at: clock.now(), code };
      orElse(() => ledger.write({ entry: 'container-ended', ...ended }), undefined);
    },
    /** To be called before its group is killed: only then are the clients there that leave a container running. */
    look: (group: number): void => {
      const table = openProcessTable();
      for (const pid of table.membersOf(group)) killed.push(...note(table.commandLine(pid)));
    },
    /** Removes those that it named and that are ours; throws when one without a name runs that may be its own. */
    end: async (): Promise<void> => {
      if (noted.size === 0) return;
      const all = await listContainers(engine.host);
      const left: string[] = [];
      for (const container of all)
        if (noted.has(container.name) && isOurs(container, label))
          left.push(...(await removeContainer(engine.host, container, clock)));
      const images = killed.filter(({ name }) => name === undefined).flatMap(({ words }) => words);
      const named = namesIn(readLedger(path.dirname(ledger.file)));
      const unnamed = all.filter(
        (one) =>
          /^(?:Up|Restarting)/.test(one.status) &&
          images.includes(one.image) &&
          isSince(one, engine.since) &&
          !named.has(one.name) &&
          !isOurs(one, label),
      );
      left.push(...unnamed.map((one) => describeContainer(engine.host, { ...one, name: one.id })));
      if (left.length > 0) throw perhapsOurs(`teardown, ${owner}`, left);
    },
  };
}

/** What one process of an environment, and whoever it starts, does with containers. */
export type Containers = ReturnType<typeof openContainers>;

/** Only the id of the environment shows it: it is random, while anybody may use another name at any time. */
function isOurs({ name, labels }: EngineContainer, environment: string): boolean {
  return name.includes(environment) || labels.includes(environment);
}

/** The engine may have a clock of its own, and lists times in whole seconds. */
const clockDifferenceMs = 1_000;

function isSince({ createdAt }: EngineContainer, since: number): boolean {
  return createdAt >= since - clockDifferenceMs;
}

function namesIn(entries: readonly LedgerEntry[]): ReadonlySet<string | undefined> {
  return new Set(entries.flatMap((entry) => (entry.entry === 'container' ? [entry.name] : [])));
}

export interface RemoveContainers {
  readonly clock: Clock;
  readonly environment: string;
  readonly entries: readonly LedgerEntry[];
  /** The command lines of processes that were ended, of which the ledger does not know. */
  readonly ended: readonly string[];
}

/** Removes all that are ours, if there was a client; names what stays, and what a client of ours may have made. */
export async function removeContainers({
  clock,
  environment,
  entries,
  ended,
}: RemoveContainers): Promise<{ readonly left: readonly string[]; readonly doubtful: readonly string[] }> {
  const clients = entries.filter((entry) => entry.entry === 'container');
  const hosts = new Set(clients.map(({ host }) => host));
  if (ended.some(mentionsDocker)) hosts.add(undefined);
  const left: string[] = [];
  const doubtful: string[] = [];
  for (const host of hosts)
    for (const container of await listContainers(host)) {
      if (isOurs(container, environment)) left.push(...(await removeContainer(host, container, clock)));
      else if (clients.some((client) => client.host === host && mayHaveMade(client, container, entries)))
        doubtful.push(describeContainer(host, container));
    }
  return { left, doubtful };
}

/** With 125 a client ends when the engine has refused it: what has the name then, and was started, is somebody else's. */
const refused = 125;
const neverStarted = /^(?:Created|Exited \(125\))/;

function mayHaveMade(
  { name, since }: ContainerClient,
  container: EngineContainer,
  entries: readonly LedgerEntry[],
): boolean {
  if (container.name !== name || !isSince(container, since)) return false;
  const end = entries
    .filter((entry) => entry.entry === 'container-ended')
    .find((entry) => entry.name === name && entry.since === since);
  if (!end) return true;
  return end.code === refused
    ? neverStarted.test(container.status)
    : container.createdAt <= end.at + clockDifferenceMs;
}

export function perhapsOurs(where: string, left: readonly string[]): Problem {
  return new Problem({
    code: 'left.behind',
    where,
    what: `what \`docker\` may have made for this environment is still there: ${left.join('; ')}`,
    allowed:
      'a container that ends with its client (`--rm --init`), or has the id of the environment in its name or in a label',
    next: 'see whose it is (docker ps --all) and remove it if it is yours; then add `--rm --init --name shakedown-${environment.id}` to the command',
  });
}
