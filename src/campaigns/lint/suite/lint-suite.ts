/** The suite against its own rules, without starting anything: whether its trials go through boundaries, and could fail. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import type { System } from '../../../system/system.ts';
import type { Trial } from '../../../trials/trial.ts';
import { openAllowances } from './allowances.ts';
import { configFindings } from './config-findings.ts';
import { driverFindings } from './driver-findings.ts';
import { importFindings } from './import-findings.ts';
import { mockFindings } from './mock-findings.ts';
import { modelTextFindings } from './model-text-findings.ts';
import { proofFindings } from './proof-findings.ts';
import { regressionFindings } from './regression-findings.ts';
import { sleepFindings } from './sleep-findings.ts';
import { findCommands, findScripts } from './suite-commands.ts';
import { findSuiteModules, type SuiteModule } from './suite-modules.ts';
import { writeFindings } from './write-findings.ts';

export interface SuiteLint {
  readonly findings: readonly LintFinding[];
  /** The flows and what they import, for whoever looks at them again. */
  readonly modules: readonly SuiteModule[];
}

export async function lintSuite(system: System, trials: readonly Trial[]): Promise<SuiteLint> {
  const modules = await findSuiteModules(system, trials);
  const commands = findCommands(system, trials, modules);
  const scripts = findScripts(system, commands);
  const allowances = openAllowances(system.suite);
  const findings = [
    ...proofFindings(trials, system.folder),
    ...regressionFindings(trials),
    ...importFindings(modules, allowances),
    ...mockFindings(modules, scripts),
    ...sleepFindings(modules, commands, allowances),
    ...writeFindings({ system, modules, commands, scripts }, allowances),
    ...driverFindings(system, trials, modules),
    ...modelTextFindings(system, trials),
  ];
  // What is allowed and not needed shows only now.
  return { findings: [...findings, ...(await configFindings(system, trials, allowances))], modules };
}
