/** Which programs are containers, and their ports. */
import type { ContainerSpec } from '../../system/container-spec.ts';
import type { ListenSpec, ProgramSpec } from '../../system/system.ts';
import type { ChosenPorts } from '../service-ports.ts';

export function isContained<Spec extends ProgramSpec>(
  spec: Spec,
): spec is Spec & { readonly container: ContainerSpec } {
  return spec.container !== undefined;
}

/** Its ports are not those of this machine. */
export function hasOwnPorts({ container }: ProgramSpec): boolean {
  return container !== undefined && !container.hostNamespaces?.includes('network');
}

/** Each container has all ports for itself, so that nothing is reserved. */
export function containerPorts(listen: readonly ListenSpec[]): ChosenPorts {
  const byListener = new Map<string, number>();
  const variables: Record<string, string> = {};
  for (const [at, { name, how }] of listen.entries()) {
    if (how.by === 'log') continue;
    const port = how.by === 'fixed' ? how.port : firstPort + at;
    byListener.set(name, port);
    if (how.by === 'env') variables[how.variable] = String(port);
  }
  return { byListener, variables, chosen: false };
}

/** Of those that a service is told. */
const firstPort = 20_000;
