/** The plugins of one attempt: each is started when it is first needed, and ended with the attempt. */
import type { AttemptResource, AttemptResources } from '../drivers/attempt-resources.ts';
import type { PluginSpec } from '../system/system.ts';
import { type PluginContext, type PluginProcess, startPlugin } from './plugin-process.ts';

interface RunningPlugin extends AttemptResource {
  readonly process: Promise<PluginProcess>;
}

export function attemptPlugin(
  spec: PluginSpec,
  resources: AttemptResources,
  context: PluginContext,
): Promise<PluginProcess> {
  return resources.once<RunningPlugin>(`plugin ${spec.name}`, () => {
    const starting = startPlugin(spec, context);
    return {
      process: starting,
      end: async () => {
        const running = await starting.catch(() => undefined); // whoever asked it knows why it did not start
        await running?.close();
      },
    };
  }).process;
}
