/** Checks the suite against its own rules without starting anything: whether its trials use boundaries and can fail. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import { applyRules } from '../rule.ts';
import { emptySuiteRules, secretRule, settingRules } from './config-rules.ts';
import { modelTextRule } from './model-text-rule.ts';
import { moduleRules } from './module-rules.ts';
import type { Suite } from './suite.ts';
import { driverRule, trialRules } from './trial-rules.ts';
import { writeRule } from './write-rule.ts';

export function lintSuite(suite: Suite): Promise<readonly LintFinding[]> {
  const rules = [
    ...[...emptySuiteRules, secretRule, ...trialRules, ...moduleRules],
    ...[writeRule, driverRule, modelTextRule],
    // Unused allowances are only known at the end.
    ...settingRules,
  ];
  return applyRules(rules, suite);
}
