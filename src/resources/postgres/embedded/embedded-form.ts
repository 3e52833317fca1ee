/** What is known before the first embedded server runs: the binaries, as whom, and with which environment. */
import path from 'node:path';
import type { PostgresSpec } from '../../../system/system.ts';
import type { ResourceContext } from '../../resource.ts';
import { chooseLauncher, type Launcher } from './choose-launcher.ts';
import { type EmbeddedPackage, findPackage } from './find-package.ts';
import { linkLibraries } from './link-libraries.ts';

export interface EmbeddedForm {
  readonly context: ResourceContext;
  readonly where: string;
  readonly binaries: EmbeddedPackage;
  readonly launcher: Launcher;
  readonly env: Readonly<Record<string, string>>;
}

export async function prepareForm(spec: PostgresSpec, context: ResourceContext): Promise<EmbeddedForm> {
  const where = `resource ${spec.name}, embedded PostgreSQL`;
  const binaries = await findPackage(where, [context.cacheFolder]);
  const libraries = await linkLibraries(binaries.native, path.join(context.folder, 'lib'));
  const launcher = await chooseLauncher(context, where, binaries.postgres);
  // Nothing else of the user's environment: PGDATA or PGPORT would bend the server.
  const env = { PATH: context.hostEnv.PATH ?? '/usr/bin:/bin', LC_ALL: 'C', ...libraries };
  return { context, where, binaries, launcher, env };
}
