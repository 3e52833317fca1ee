/** Asks the docker engine: which containers it has, and to remove one. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Clock } from '../../kernel/clock.ts';
import { waitFor } from '../../kernel/deadline.ts';
import { limits } from '../../kernel/limits.ts';

export interface EngineContainer {
  readonly id: string;
  readonly name: string;
  readonly image: string;
  /** Milliseconds since 1970, by the clock of the engine; it lists whole seconds. */
  readonly createdAt: number;
  /** Such as `Up 3 seconds`, `Created` or `Exited (1) 2 minutes ago`. */
  readonly status: string;
  readonly labels: string;
}

const columns = ['ID', 'Names', 'Image', 'CreatedAt', 'Status', 'Labels'];

/** All, also those that have ended. On the machine's own engine, unless `DOCKER_HOST` was another. */
export async function listContainers(host: string | undefined): Promise<readonly EngineContainer[]> {
  const format = columns.map((column) => `{{.${column}}}`).join('\t');
  const rows = (await askDocker(host, ['ps', '--all', '--format', format])) ?? '';
  return rows.split('\n').flatMap((row) => {
    const [id = '', name = '', image = '', created = '', status = '', ...labels] = row.split('\t');
    if (id === '') return [];
    const [day, time, zone] = created.split(' ');
    const createdAt = Date.parse(`${day}T${time}${zone}`);
    return [{ id, name, image, createdAt, status, labels: labels.join('\t') }];
  });
}

/** By its id, because its name may be somebody else's by now. Gives what stays. */
export async function removeContainer(
  host: string | undefined,
  container: EngineContainer,
  clock: Clock,
): Promise<readonly string[]> {
  const { id } = container;
  // With `--rm`, the engine may be about to remove it, and refuses us meanwhile.
  const isGone = await waitFor(clock, { withinMs: limits.killedSweepMs }, async () => {
    await askDocker(host, ['rm', '--force', '--volumes', id]);
    const inspect = ['inspect', '--type', 'container', '--format', '{{.Id}}', id];
    return (await askDocker(host, inspect)) === undefined ? true : undefined;
  });
  return isGone ? [] : [describeContainer(host, container)];
}

/** With the command that removes it. */
export function describeContainer(
  host: string | undefined,
  { id, name, image }: Omit<EngineContainer, 'createdAt'>,
): string {
  const engine = host === undefined ? '' : `--host ${host} `;
  return `container ${name} of image ${image}; remove it: docker ${engine}rm --force ${id}`;
}

/** Undefined when it refuses, or no engine answers: then no container runs either. */
async function askDocker(host: string | undefined, words: readonly string[]): Promise<string | undefined> {
  const engine = host === undefined ? [] : ['--host', host];
  const limit = { timeout: 10_000, maxBuffer: 64 * 1024 * 1024 };
  try {
    return (await promisify(execFile)('docker', [...engine, ...words], limit)).stdout.trim();
  } catch {
    return undefined;
  }
}
