/** What the plugins of the config brought, for whoever performs or stores a run. */
import type { PluginDescription } from '../../plugins/description.ts';
import { addPluginKinds } from '../../plugins/plugin-kinds.ts';

const added: PluginDescription[] = [];

export function keepPlugins(descriptions: readonly PluginDescription[]): void {
  added.splice(0, added.length, ...descriptions);
  addPluginKinds(descriptions);
}

/** Of the config that was loaded last. */
export function addedPlugins(): readonly PluginDescription[] {
  return added;
}
