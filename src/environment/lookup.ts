/** Resolves references for one consumer. */

import { edgeName } from '../kernel/edge-name.ts';
import { hostVariable } from '../kernel/references.ts';
import { type Consumer, nowhere } from '../resources/resource.ts';
import { atAddress, filledAt } from '../system/attached/at-address.ts';
import type { ServiceSpec } from '../system/system.ts';
import { type EnvironmentContext, nodeOf } from './environment-context.ts';
import type { Address } from './wiring/address-book.ts';
import { type Edge, resourceListener } from './wiring/edges.ts';
import type { OwnFolders } from './wiring/hermetic-env.ts';
import type { Lookup } from './wiring/resolve.ts';

/** Of the consumer: its folders and, for a service, its ports. */
export interface Self {
  readonly folders: OwnFolders;
  readonly ports: ReadonlyMap<string, number>;
}

export function createLookup(
  context: EnvironmentContext,
  consumer: Consumer,
  self: Self | undefined,
): Lookup {
  return (reference) => {
    const [head, ...rest] = reference.path as [string, ...string[]];
    if (head === 'env') return hostVariable(reference, context.hostEnv);
    if (head === 'run' && rest[0] === 'id') return context.run;
    if (head === 'environment' && rest[0] === 'id') return context.label;
    if (head === 'config' && rest[0] === 'dir') return context.system.folder;
    if (head === 'matrix') return context.variant[rest.join('.')];
    if (head === 'self') return self && ownValue(consumer, self, rest);
    if (head.includes('->')) return edgeValue(context, head, rest);
    const members = context.system.rosters[head];
    if (members && rest[0] === '*') {
      return members
        .map((name) => `${name}=${providerValue(context, consumer, name, rest.slice(1)) ?? ''}`)
        .join(',');
    }
    return providerValue(context, consumer, head, rest);
  };
}

/** The address of another consumer's edge, as that consumer sees it. */
function edgeValue(
  context: EnvironmentContext,
  written: string,
  rest: readonly string[],
): string | undefined {
  const [name = '', to = ''] = edgeName(written).split(' -> ');
  const isThere = context.book.taps.some(({ edge }) => edge.from === name && edge.to === to);
  return isThere ? providerValue(context, { kind: 'service', name }, to, rest) : undefined;
}

function ownValue(consumer: Consumer, self: Self, rest: readonly string[]): string | undefined {
  const [first, second] = rest;
  if (second === 'port') return self.ports.get(first as string)?.toString();
  if (first === 'port') return [...self.ports.values()][0]?.toString();
  if (first === 'name') return consumer.name;
  return first === 'dir' || first === 'home' || first === 'tmp' ? self.folders[first] : undefined;
}

function providerValue(
  context: EnvironmentContext,
  consumer: Consumer,
  name: string,
  rest: readonly string[],
): string | undefined {
  const service = context.system.services.find((candidate) => candidate.name === name);
  if (service) return serviceValue(context, consumer, service, rest);
  return referencesTo(context, consumer, name)?.[rest[0] ?? ''];
}

/** What `${name.…}` means for this consumer; undefined before the resource is up. */
export function referencesTo(
  { nodes, book }: EnvironmentContext,
  consumer: Consumer,
  name: string,
): Readonly<Record<string, string>> | undefined {
  const resource = nodes.get(name)?.resource;
  if (!resource || resource.endpoint === nowhere) return resource?.references(consumer, nowhere);
  const address = book.addressFor({ from: consumer.name, to: name, listener: resourceListener });
  return resource.references(consumer, address);
}

function serviceValue(
  context: EnvironmentContext,
  consumer: Consumer,
  service: ServiceSpec,
  rest: readonly string[],
): string | undefined {
  const [first, second] = rest;
  const listener =
    second === undefined ? service.listen[0] : service.listen.find(({ name }) => name === first);
  if (!listener) return undefined;
  const address = context.book.addressFor({ from: consumer.name, to: service.name, listener: listener.name });
  const property = second ?? first;
  if (property === 'url' && listener.how.by === 'at') return urlOfAttached(context, listener.how.at, address);
  return addressValue(address, listener.scheme, property);
}

/** As it is written, with its login and its path, but at the tap. */
function urlOfAttached(
  { hostEnv }: EnvironmentContext,
  written: string,
  { host, port }: Address,
): string | undefined {
  const at = atAddress(filledAt(written, hostEnv) ?? '');
  return at && `${at.scheme}://${at.login}${host}:${port}${at.rest}`;
}

function addressValue(address: Address, scheme: string, property: string | undefined): string | undefined {
  if (property === 'url') return `${scheme}://${address.host}:${address.port}`;
  if (property === 'host') return address.host;
  return property === 'port' ? String(address.port) : undefined;
}

/** The real address of a provider, for its taps. */
export function targetOf(context: EnvironmentContext, { from, to, listener }: Edge): Address | undefined {
  const node = nodeOf(context, to);
  if (!node.resource) return node.addresses.get(listener);
  return node.resource.endpointFor?.(from) ?? node.resource.endpoint;
}
