/** What is asked of the engine about networks. */
import type { Engine } from './open-engine.ts';
import { wasThere } from './transient.ts';

export interface NetworkWish {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  /** Where absent, the engine chooses. */
  readonly subnet?: string;
  readonly gateway?: string;
}

export async function createNetwork(
  { http }: Engine,
  { name, labels, subnet, gateway }: NetworkWish,
): Promise<string> {
  const ipam = subnet === undefined ? {} : { IPAM: { Config: [{ Subnet: subnet, Gateway: gateway }] } };
  const json = { Name: name, Driver: 'bridge', CheckDuplicate: true, Labels: labels, ...ipam };
  return ((await http.ask('POST', '/networks/create', { json })) as { Id: string }).Id;
}

export async function connectNetwork(
  { http }: Engine,
  network: string,
  container: string,
  aliases: readonly string[],
): Promise<void> {
  const json = { Container: container, EndpointConfig: { Aliases: aliases } };
  await http.ask('POST', `/networks/${network}/connect`, { json });
}

/** Whether there was one. */
export function removeNetwork({ http }: Engine, name: string): Promise<boolean> {
  return wasThere(http.ask('DELETE', `/networks/${name}`));
}

export async function listNetworks({ http }: Engine, label: string): Promise<readonly string[]> {
  const filters = JSON.stringify({ label: [label] });
  const listed = (await http.ask('GET', '/networks', { query: { filters } })) as readonly { Name: string }[];
  return listed.map(({ Name }) => Name);
}
