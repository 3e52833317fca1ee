/** A booted system for tests: addresses, edges, rows and the journal. */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { addressVariables } from '../environment/address-variables.ts';
import type { EnvironmentStatus } from '../environment/environment-status.ts';
import type { JournalEvent } from '../journal/event.ts';
import { parseExactJson } from '../kernel/exact-json.ts';
import { badUsage, formatProblem } from '../kernel/problem.ts';
import { type Answer, askCommand, type SystemChoice, startCommand } from './command.ts';

export interface TestEnvironment {
  /** Of services and resources, by their names. */
  readonly addresses: Readonly<Record<string, string>>;
  readonly edges: EnvironmentStatus['edges'];
  /** The variables that a command after `shakedown up --` gets. */
  readonly env: Readonly<Record<string, string>>;
  readonly runFolder: string;
  url(name: string): string;
  /** The rows that a table, such as `db.orders`, has now; `where` is a pattern as in a check `rows`. */
  rows(table: string, where?: unknown): Promise<ReadonlyArray<Readonly<Record<string, unknown>>>>;
  /** Everything recorded until now. */
  journal(): Promise<readonly JournalEvent[]>;
  /** Rejects when it did not hold until now, or when something is left. */
  close(): Promise<void>;
}

interface OpenOptions extends SystemChoice {
  /** Registers what is done after the last test: `after` of node:test, `afterAll` of Vitest. */
  readonly after?: (close: () => Promise<void>) => void;
}

/** Boots the system; it goes down with `close`, and with this process, however that ends. */
export async function openEnvironment({ after, ...choice }: OpenOptions = {}): Promise<TestEnvironment> {
  const ready = Promise.withResolvers<Answer>();
  const words = ['up', '--apart', '--', 'cat'];
  const { ended, isRunning, close: leave } = startCommand(choice, words, ready.resolve);
  const failed = ended.then(({ code, said }): never => {
    throw new Error(said || `shakedown up ended with ${code}`);
  });
  const status = (await Promise.race([ready.promise, failed])) as unknown as EnvironmentStatus;
  failed.catch(() => undefined); // `close` reports it
  const close = async (): Promise<void> => {
    leave();
    const { code, said } = await ended;
    if (code !== 0) throw new Error(said || `shakedown up ended with ${code}`);
  };
  after?.(close);
  const journal = async (): Promise<readonly JournalEvent[]> => {
    // What has passed is written when this is answered.
    if (isRunning()) await askCommand(choice, ['status', '--run', status.run]);
    const text = await readFile(path.join(status.runFolder, 'events.ndjson'), 'utf8');
    const lines = text.split('\n').slice(1, -1);
    return lines.map((line) => parseExactJson(line) as JournalEvent);
  };
  return { ...factsOf(status), rows: rowsOf(choice, status.run), journal, close };
}

function factsOf(status: EnvironmentStatus) {
  const parts = [...status.services, ...status.resources].filter(({ url }) => url !== null);
  const outside = status.edges.filter(({ from }) => from === 'outside');
  const addresses = Object.fromEntries([
    ...outside.map(({ to, url }) => [to, url]),
    ...parts.map(({ name, url }) => [name, url]),
  ]) as Record<string, string>;
  const { edges, runFolder } = status;
  return {
    ...{ addresses, edges, runFolder },
    env: addressVariables(status),
    url: (name: string): string => {
      const url = addresses[name];
      if (url !== undefined) return url;
      const known = Object.keys(addresses).sort().join(', ');
      const problem = badUsage(
        'url()',
        `nothing is called ${JSON.stringify(name)}`,
        known,
        'name one of these',
      );
      throw new Error(formatProblem(problem));
    },
  };
}

function rowsOf(choice: SystemChoice, run: string): TestEnvironment['rows'] {
  return async (table, where) => {
    const narrowed = where === undefined ? [] : ['--where', JSON.stringify(where)];
    const { rows } = await askCommand(choice, ['rows', table, '--run', run, ...narrowed]);
    return rows as ReadonlyArray<Readonly<Record<string, unknown>>>;
  };
}

/** For `test.extend({ environment: environmentFixture() })` of Vitest: booted for the first test that uses it. */
export function environmentFixture(
  choice: SystemChoice = {},
): [
  (context: object, use: (environment: TestEnvironment) => Promise<void>) => Promise<void>,
  { scope: 'file' },
] {
  const fixture = async (
    // biome-ignore lint/correctness/noEmptyPattern: Vitest reads from it what the fixture needs
    {}: object,
    use: (environment: TestEnvironment) => Promise<void>,
  ): Promise<void> => {
    const environment = await openEnvironment(choice);
    await use(environment);
    await environment.close();
  };
  return [fixture, { scope: 'file' }];
}
