/** Starts a plugin only to ask what it brings, and validates its answer. */
import { systemClock } from '../kernel/clock.ts';
import { withNearest } from '../kernel/exact-json.ts';
import type { PluginSpec } from '../system/system.ts';
import { type PluginDescription, pluginDescription } from './description.ts';
import { pluginLimits } from './plugin-limits.ts';
import { PluginBroken, startPlugin } from './plugin-process.ts';

/** Rejects with `PluginBroken`. */
export async function describePlugin(spec: PluginSpec, folder: string): Promise<PluginDescription> {
  const running = await startPlugin(spec, { clock: systemClock, folder });
  try {
    const answer = await running.ask({ do: 'describe' }, { withinMs: pluginLimits.describeMs });
    return readDescription(spec, answer.description);
  } finally {
    await running.close();
  }
}

export function readDescription({ name }: PluginSpec, description: unknown): PluginDescription {
  const { data, error } = pluginDescription.safeParse(withNearest(description));
  if (data) return data;
  const [issue] = error.issues;
  const allowed = issue?.code === 'invalid_key' ? issue.issues[0]?.message : issue?.message;
  const at = ['description', ...(issue?.path ?? [])].map(String).join('.');
  throw new PluginBroken(`the plugin \`${name}\` gave an invalid description: \`${at}\` must be ${allowed}`);
}
