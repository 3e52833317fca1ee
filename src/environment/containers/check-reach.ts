/** Looks again, before a container is made, where its mounts lead: links may have changed since the config was read. */
import { Problem, refuse } from '../../kernel/problem.ts';
import type { ContainerSpec } from '../../system/container-spec.ts';
import { missingAllowances } from '../../system/needed-allowances.ts';
import { strayWrites } from '../../system/stray-writes.ts';
import type { EnvironmentContext } from '../environment-context.ts';

export function checkReach(
  { hostEnv, system }: Pick<EnvironmentContext, 'hostEnv' | 'system'>,
  { container, where }: { readonly container: ContainerSpec; readonly where: string },
): void {
  const missing = missingAllowances(container, hostEnv).map(
    ({ allowance, what }) =>
      new Problem({
        code: 'config.bad-value',
        where,
        what: `its container ${what}`,
        allowed: `such a container with a reason: \`allow: { ${allowance}: why it must }\``,
        next: `leave it out, or add \`allow: { ${allowance}: '…' }\` to the config`,
      }),
  );
  refuse([...missing, ...strayWrites(container, system.folder, where)]);
}
