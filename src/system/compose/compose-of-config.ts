/** The compose files that a config names, read with the variables that it gives. */
import path from 'node:path';
import type { ComposeDocument, ServiceAddition } from '../document/compose-document.ts';
import type { ConfigSource } from '../source/config-source.ts';
import type { ComposeProject } from './compose-model.ts';
import { openCompose } from './open-compose.ts';

export interface ComposeOfConfig {
  readonly project: ComposeProject;
  readonly additions: Readonly<Record<string, ServiceAddition>>;
}

export async function composeOfConfig(
  compose: ComposeDocument,
  hostEnv: Readonly<Record<string, string | undefined>>,
  source: ConfigSource,
): Promise<ComposeOfConfig> {
  const isMap = typeof compose === 'object' && !Array.isArray(compose);
  const written = isMap ? compose : { files: compose };
  const files = [written.files].flat().map((file) => path.resolve(path.dirname(source.file), file));
  const own = new Map(
    Object.entries(written.env ?? {}).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : (source.written(['compose', 'env', name]) ?? String(value)),
    ]),
  );
  const place = isMap ? ['compose', 'files'] : ['compose'];
  const namedAt = (file: string) => {
    const index = files.indexOf(file);
    return index < 0
      ? undefined
      : source.valuePosition(Array.isArray(written.files) ? [...place, index] : place);
  };
  const variables = (name: string) =>
    own.get(name) ?? (Object.hasOwn(hostEnv, name) ? hostEnv[name] : undefined);
  const { profiles, project } = written;
  return {
    project: await openCompose({ files, profiles, project, variables }, namedAt),
    additions: written.services ?? {},
  };
}
