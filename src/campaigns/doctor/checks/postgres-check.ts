/** The embedded PostgreSQL: required as soon as the config has a database without a `url`. */
import { access, constants } from 'node:fs/promises';
import { limits } from '../../../kernel/limits.ts';
import { problemsIn } from '../../../kernel/problem.ts';
import { findPackage } from '../../../resources/postgres/embedded/embedded-form.ts';
import type { Check, Surroundings } from './check.ts';

export const postgresCheck: Check = {
  name: 'embedded postgres',
  otherwise: 'optional-missing',
  withinMs: limits.configImportMs + 2_000,
  look: async (surroundings) => {
    try {
      const found = await findPackage('embedded postgres', [surroundings.folder]);
      await access(found.postgres, constants.X_OK);
      return { state: 'ok', detail: `PostgreSQL ${found.version} of ${found.name}` };
    } catch (error) {
      const [problem] = problemsIn(error);
      const needed = await wantedBy(surroundings);
      return {
        state: needed ? 'missing' : 'optional-missing',
        detail: `${problem?.what}; ${needed ? `the resource \`${needed}\` needs it` : 'for databases of `kind: postgres` without a `url`'}`,
        next:
          problem?.code === 'world.missing-package'
            ? problem.next
            : 'install the package again, with the execute bits of its files',
      };
    }
  },
};

async function wantedBy({ config }: Surroundings): Promise<string | undefined> {
  const look = await config;
  if (look.kind !== 'loaded') return undefined;
  return look.system.resources.find((resource) => resource.kind === 'postgres' && resource.url === undefined)
    ?.name;
}
