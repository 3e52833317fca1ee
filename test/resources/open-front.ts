/** A model in front of a provider, which is simulated by another model of ours. */
import type { ScriptLine } from '../../src/resources/model/script-line.ts';
import type { ModelSpec } from '../../src/system/system.ts';
import { type OpenModel, openModel } from './open-model.ts';

export const realKey = 'sk-the-real-key-0123456789';
export const hostEnv = { REAL_KEY: realKey };

/** The provider accepts only the real key. */
export async function openProvider(lines: readonly ScriptLine[]): Promise<OpenModel> {
  const provider = await openModel({ keys: [realKey] });
  await provider.begin({ outside: lines });
  return provider;
}

export async function openFront(
  mode: ModelSpec['mode'],
  provider: OpenModel | string,
  spec: Partial<ModelSpec> = {},
): Promise<OpenModel> {
  const upstream = {
    url: typeof provider === 'string' ? provider : provider.url('outside'),
    key: 'REAL_KEY',
  };
  const upstreams = { openai: upstream, anthropic: upstream, gemini: upstream };
  return openModel({ mode, upstreams, ...spec }, { hostEnv });
}
