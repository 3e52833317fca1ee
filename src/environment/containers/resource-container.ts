/** Runs a resource in a container: for its driver, a process with an address. */
import { defined } from '../../kernel/defined.ts';
import type { ResourceContainer, ResourceContainerOptions } from '../../resources/resource.ts';
import { logTail } from '../log-tail.ts';
import type { ProcessHost } from '../processes/start-process.ts';
import type { ContainerHost } from './container-host.ts';
import { prepareContainer } from './prepare-container.ts';
import { discardContainer, runContainer } from './run-container.ts';

type Host = Pick<ProcessHost, 'clock' | 'label' | 'started'> & {
  readonly workspace: string;
  readonly containers: ContainerHost;
};

export interface ResourceContainerWish extends ResourceContainerOptions {
  readonly name: string;
  readonly logFile: string;
  readonly signal: AbortSignal;
}

export async function startResourceContainer(
  host: Host,
  { name, image, command, env, port, logFile, signal }: ResourceContainerWish,
): Promise<ResourceContainer> {
  const where = `resource ${name}`;
  const container = { ...defined({ image, command }), mounts: [], peers: [] };
  const made = await prepareContainer(
    host,
    { ...{ name, container, env, where, logFile, signal }, ports: [port], resolve: (text) => text },
    1,
  );
  const { running, state } = await runContainer(host, made);
  const [network = ''] = host.containers.networksOf(name).networks;
  const published = { host: '127.0.0.1', port: state.published[`${port}/tcp`] ?? port };
  return {
    pid: running.pid,
    exited: running.exited,
    stop: async (asked, ms) => void (await running.stop(asked, ms)),
    address: host.containers.isDirect ? { host: state.addresses[network] ?? '127.0.0.1', port } : published,
    lastLines: () => logTail(logFile),
    remove: () => discardContainer(host, made),
  };
}
