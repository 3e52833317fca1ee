/** `shakedown lint`: loads the config and every trial as `run` does, and reports all problems of the suite. */
import path from 'node:path';
import { quarantineFindings } from '../../campaigns/flakes/plan-quarantine.ts';
import { lintLive } from '../../campaigns/lint/live/lint-live.ts';
import { withoutMeant } from '../../campaigns/lint/meant-findings.ts';
import { lintRegistry } from '../../campaigns/lint/registry/lint-registry.ts';
import { withoutRepeats } from '../../campaigns/lint/rule.ts';
import { lintSince } from '../../campaigns/lint/since/lint-since.ts';
import { lintSuite } from '../../campaigns/lint/suite/lint-suite.ts';
import { openSuite } from '../../campaigns/lint/suite/suite.ts';
import { type Interrupts, withInterrupts } from '../../campaigns/session/interrupts.ts';
import { onRunningSystem } from '../../campaigns/session/on-running-system.ts';
import { openSystem } from '../../campaigns/session/open-system.ts';
import type { LintFinding } from '../../checks/lint-finding.ts';
import { writeShared } from '../../journal/write-redacted.ts';
import { defined } from '../../kernel/defined.ts';
import { type ExitCode, exitCodes, interruptExitCode } from '../../kernel/exit-codes.ts';
import { formatLint, formatUntapped } from '../../report/terminal/format-lint.ts';
import type { System } from '../../system/system.ts';
import { findUntapped } from '../../system/untapped.ts';
import { addPlugins } from '../../trials/kinds/add-plugins.ts';
import { trialSchemaText } from '../../trials/load/json-schema.ts';
import { loadTrials } from '../../trials/load/load-trials.ts';
import { quarantineFile, readQuarantine } from '../../trials/quarantine/read-quarantine.ts';
import type { Trial } from '../../trials/trial.ts';
import { environmentOptions, readEnvironmentRequest, refuseWithout } from '../call/options.ts';
import { print } from '../call/print.ts';
import { type Call, optionText, type Verb } from '../call/verb.ts';
import { lintRequirements } from '../coverage/plan-requirements.ts';

export const lint: Verb = {
  summary: 'check the config and the suite; with --live against the running system',
  usage: '[--since REV] [--live [--attach]] [--schema FILE]',
  options: {
    since: {
      value: 'REV',
      help: 'also: a boundary that changed since this revision needs a changed trial and a changed contract',
    },
    live: {
      help: 'also: boot the system and compare trials and scripts with what it really provides',
    },
    schema: {
      value: 'FILE',
      help: 'write the JSON Schema of a trial, kinds of your plugins included, for your editor',
    },
    attach: { help: 'with --live: on the environment that is up in this folder' },
    variant: { ...environmentOptions.variant, help: 'with --live: as in `up`' },
    containment: { ...environmentOptions.containment, help: 'with --live: as in `up`' },
  },
  run: async (call) => {
    refuseWithout(call, 'live', ['attach', 'variant', 'containment']);
    const system = await openSystem(call);
    const schema = optionText(call, 'schema');
    if (schema !== undefined) await writeSchema(path.resolve(call.cwd, schema), system);
    const trials = await loadTrials(system);
    return withInterrupts(async (interrupts) => {
      const examined = await examine(call, system, trials, interrupts);
      const signal = interrupts.received();
      if (signal) return interruptExitCode(signal);
      return report(call, system, trials, examined);
    });
  },
};

/** Before the trials are read: an editor may help to correct them. */
async function writeSchema(file: string, system: System): Promise<void> {
  await addPlugins(system);
  writeShared(file, trialSchemaText());
}

async function examine(call: Call, system: System, trials: readonly Trial[], interrupts: Interrupts) {
  const since = optionText(call, 'since');
  const request = { ...readEnvironmentRequest(call), attach: call.options.attach === true };
  const quarantine = quarantineFindings({
    file: quarantineFile,
    entries: await readQuarantine(system.folder, trials),
    systemFolder: system.folder,
    now: call.clock.now(),
  });
  const suite = await openSuite(system, trials, call.env);
  const inSuite = await lintSuite(suite);
  const { registry, findings } = await lintRegistry(system, trials);
  const changes = since === undefined ? undefined : await lintSince(since, suite, registry);
  const live =
    call.options.live === true
      ? await onRunningSystem(call, system, request, interrupts, (environment, signal) =>
          lintLive(environment, suite, signal),
        )
      : undefined;
  const all = [
    ...inSuite,
    ...quarantine,
    ...(await lintRequirements(call, system, trials)),
    ...findings,
    ...(changes?.findings ?? []),
    ...(live?.findings ?? []),
  ];
  const shown = withoutMeant(withoutRepeats(all), trials, { live: live !== undefined });
  return { findings: sorted(shown), changes, live };
}

type LintExamined = Awaited<ReturnType<typeof examine>>;

function report(call: Call, system: System, trials: readonly Trial[], examined: LintExamined): ExitCode {
  const { findings, changes, live } = examined;
  const parts = {
    resources: system.resources.length,
    jobs: system.jobs.length,
    services: system.services.length,
    trials: trials.length,
  };
  const untapped = findUntapped(system);
  const notKnown = live?.notKnown ?? [];
  const exitCode = findings.some(({ level }) => level === 'finding') ? exitCodes.dishonest : exitCodes.held;
  const more = defined({ changed: changes?.changed, live: live?.checked });
  const shown = { ...parts, untapped, findings, notKnown, ...more, errors: [] };
  const counted = Object.entries(parts).map(([kind, count]) => `${count} ${kind}`);
  print(call, { file: system.file, system: system.name, ...shown }, ({ paint, hint }) => [
    `${system.file}: ${system.name} is well-formed: ${counted.join(', ')}`,
    ...formatUntapped(untapped),
    ...(changes ? [`boundaries that changed: ${changes.changed.join(', ') || 'none'}`] : []),
    ...(live ? [heldAgainst(live.checked)] : []),
    ...formatLint({ findings, notKnown, paint, hint }),
  ]);
  return exitCode;
}

function heldAgainst(checked: Readonly<Record<string, number>>): string {
  const counts = Object.entries(checked).map(([what, count]) => `${count} ${what}`);
  return `compared with the running system: ${counts.join(', ')}`;
}

/** By file and line. */
function sorted(findings: readonly LintFinding[]): readonly LintFinding[] {
  return [...findings].sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}
