/** What is asked of the engine about volumes. */
import type { Engine } from './open-engine.ts';
import { wasThere } from './transient.ts';

export interface VolumeWish {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly driver?: string | undefined;
  readonly driverOptions?: Readonly<Record<string, string>> | undefined;
}

export async function createVolume({ http }: Engine, wish: VolumeWish): Promise<void> {
  const { name, labels, driver = 'local', driverOptions = {} } = wish;
  const json = { Name: name, Driver: driver, Labels: labels, DriverOpts: driverOptions };
  await http.ask('POST', '/volumes/create', { json });
}

/** Whether there was one, which an engine that is forced does not say. */
export async function removeVolume({ http }: Engine, name: string): Promise<boolean> {
  if (!(await wasThere(http.ask('GET', `/volumes/${name}`)))) return false;
  return wasThere(http.ask('DELETE', `/volumes/${name}`, { query: { force: true } }));
}

export async function listVolumes({ http }: Engine, label: string): Promise<readonly string[]> {
  const filters = JSON.stringify({ label: [label] });
  const listed = (await http.ask('GET', '/volumes', { query: { filters } })) as {
    readonly Volumes?: readonly { Name: string }[] | null;
  };
  return (listed.Volumes ?? []).map(({ Name }) => Name);
}
