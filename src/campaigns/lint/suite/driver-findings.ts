/** Which drivers may act is the suite's policy; what acts in another way is told. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import type { System } from '../../../system/system.ts';
import type { Trial } from '../../../trials/trial.ts';
import { baseId, placeOfPart } from '../place-of-part.ts';
import type { SuiteModule } from './suite-modules.ts';

export function driverFindings(
  system: System,
  trials: readonly Trial[],
  modules: readonly SuiteModule[],
): readonly LintFinding[] {
  const allowed = system.suite?.drivers;
  if (!allowed) return [];
  const told = (driver: string): Pick<LintFinding, 'text' | 'kind' | 'level' | 'why' | 'next'> => ({
    kind: 'driver-not-allowed',
    level: 'finding',
    text: `it acts by \`${driver}\`, and the policy of the suite allows ${allowed.join(', ')}`,
    why: 'the suite has promised to touch the system only as its users do',
    next: `act by ${allowed.join(' or ')}, or add \`${driver}\` to \`suite.drivers\``,
  });
  const inFiles = trials.flatMap((trial) =>
    trial.steps.flatMap(({ name, kind }) => {
      const driver = driverOf(kind);
      if (driver === undefined || allowed.includes(driver)) return [];
      return [
        { trial: baseId(trial), ...placeOfPart(trial, { step: name }, system.folder), ...told(driver) },
      ];
    }),
  );
  const inFlows = modules.flatMap(({ shown, scan, flows: [flow] }) =>
    scan.calls.flatMap(({ callee, line }) => {
      const driver = driversOfFlows.find((name) => callee === name || callee.endsWith(`.${name}`));
      if (driver === undefined || allowed.includes(driver)) return [];
      return [{ ...(flow ? { trial: baseId(flow) } : {}), file: shown, line, ...told(driver) }];
    }),
  );
  return [...inFiles, ...inFlows];
}

const driversOfFlows = ['http', 'tcp', 'mcp', 'command', 'service'];

/** `on` goes on with what another step has opened; `until` and `quiet` only wait. */
function driverOf(kind: string): string | undefined {
  if (['http', 'tcp', 'mcp', 'command'].includes(kind)) return kind;
  return ['restart', 'stop', 'start', 'kill'].includes(kind) ? 'service' : undefined;
}
