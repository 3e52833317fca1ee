/** Everything that `lint` examines: the suite, its quarantine and registry, changes since a revision, the running system. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import type { System } from '../../../system/system.ts';
import { quarantineFile, readQuarantine } from '../../../trials/quarantine/read-quarantine.ts';
import type { Trial } from '../../../trials/trial.ts';
import { lintRequirements } from '../../coverage/plan-requirements.ts';
import { quarantineFindings } from '../../flakes/plan-quarantine.ts';
import type { Host } from '../../session/host.ts';
import type { Interrupts } from '../../session/interrupts.ts';
import { onRunningSystem } from '../../session/on-running-system.ts';
import type { EnvironmentRequest } from '../../session/open-session.ts';
import { lintLive } from '../live/lint-live.ts';
import { liveKinds } from '../live-finding.ts';
import { boundaryRules, riskRules } from '../registry/entry-rules.ts';
import { readBoundaries, readCatalogue } from '../registry/registry.ts';
import { findSources, sourceRules } from '../registry/source-rules.ts';
import { applyRules, inTrial, withoutRepeats } from '../rule.ts';
import { lintSince } from '../since/lint-since.ts';
import { emptySuiteRules, secretRule, settingRules } from '../suite/config-rules.ts';
import { modelTextRule } from '../suite/model-text-rule.ts';
import { moduleRules } from '../suite/module-rules.ts';
import { openSuite, type Suite } from '../suite/suite.ts';
import { driverRule, trialRules } from '../suite/trial-rules.ts';
import { writeRule } from '../suite/write-rule.ts';

interface LintRequest extends EnvironmentRequest {
  /** Also against the running system: the one that is up in this folder, or one that is booted. */
  readonly live: boolean;
  readonly attach: boolean;
  /** A revision. */
  readonly since: string | undefined;
}

export async function lintProject(
  host: Host,
  { system, trials }: { readonly system: System; readonly trials: readonly Trial[] },
  { live: isLive, since, ...request }: LintRequest,
  interrupts: Interrupts,
) {
  const quarantine = quarantineFindings({
    file: quarantineFile,
    entries: await readQuarantine(system.folder, trials),
    systemFolder: system.folder,
    now: host.clock.now(),
  });
  const suite = await openSuite(system, trials, host.env);
  const inSuite = await lintSuite(suite);
  const { registry, findings } = await lintRegistry(system, trials);
  const changes = since === undefined ? undefined : await lintSince(since, suite, registry);
  const live = isLive
    ? await onRunningSystem(host, system, request, interrupts, (environment, signal) =>
        lintLive(environment, suite, signal),
      )
    : undefined;
  const all = [
    ...[...inSuite, ...quarantine, ...(await lintRequirements(host, system, trials)), ...findings],
    ...(changes?.findings ?? []),
    ...(live?.findings ?? []),
  ];
  const shown = withoutMeant(withoutRepeats(all), trials, { live: live !== undefined });
  return { findings: sorted(shown), changes, live };
}

/** By file and line. */
function sorted(findings: readonly LintFinding[]): readonly LintFinding[] {
  return [...findings].sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}

/** Checks the suite against its own rules without starting anything: whether its trials use boundaries and can fail. */
function lintSuite(suite: Suite): Promise<readonly LintFinding[]> {
  const rules = [
    ...[...emptySuiteRules, secretRule, ...trialRules, ...moduleRules],
    ...[writeRule, driverRule, modelTextRule],
    // Unused allowances are only known at the end.
    ...settingRules,
  ];
  return applyRules(rules, suite);
}

/** The boundary registry and the catalogue of high-risk trials, if a config names them. */
async function lintRegistry(system: System, trials: readonly Trial[]) {
  const registry = await readBoundaries(system);
  const sources = registry ? [findSources(registry, system.folder)] : [];
  const risks = await readCatalogue(system);
  const { boundaries = [] } = registry ?? {};
  const entries = { registry, boundaries, risks, trials, folder: system.folder };
  const findings = [
    ...(await applyRules([...boundaryRules, ...riskRules], entries)),
    ...(await Promise.all(sources.map((one) => applyRules(sourceRules, one)))).flat(),
  ];
  return { registry, findings };
}

/** Removes what trials do on purpose, as declared under `lint`, and reports declarations that are not needed. */
function withoutMeant(
  findings: readonly LintFinding[],
  trials: readonly Trial[],
  { live }: { readonly live: boolean },
): readonly LintFinding[] {
  const meaning = new Map(
    trials.flatMap((trial) => (trial.lint ? [[inTrial(trial).trial, trial] as const] : [])),
  );
  const isMeant = ({ kind, trial = '' }: LintFinding): boolean =>
    meaning.get(trial)?.lint?.allow.includes(kind) === true;
  const used = new Set(findings.filter(isMeant).map(({ trial, kind }) => `${trial} ${kind}`));
  const idle = [...meaning].flatMap(([id, trial]) =>
    (trial.lint?.allow ?? [])
      .filter((kind) => !used.has(`${id} ${kind}`) && (live || !liveKinds.includes(kind)))
      .map(
        (kind): LintFinding => ({
          kind: 'unused-allowance',
          level: 'warning',
          ...inTrial(trial),
          text: `\`lint.allow\` has \`${kind}\`, but nothing of this kind is found`,
          why: 'an allowance that is not needed hides the next mistake of its kind',
          next: 'remove it',
        }),
      ),
  );
  return [...findings.filter((finding) => !isMeant(finding)), ...idle];
}
