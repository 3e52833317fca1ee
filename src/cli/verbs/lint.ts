/** `shakedown lint`: reads the config and every trial as `run` would, and says all that is wrong with them as a suite. */
import { quarantineFindings } from '../../campaigns/flakes/quarantine-findings.ts';
import { lintLive } from '../../campaigns/lint/live/lint-live.ts';
import { withoutMeant } from '../../campaigns/lint/meant-findings.ts';
import { toldOnce } from '../../campaigns/lint/place-of-part.ts';
import { lintRegistry } from '../../campaigns/lint/registry/lint-registry.ts';
import { lintSince } from '../../campaigns/lint/since/lint-since.ts';
import { emptySuiteFindings } from '../../campaigns/lint/suite/empty-suite.ts';
import { lintSuite } from '../../campaigns/lint/suite/lint-suite.ts';
import { weakSecretFindings } from '../../campaigns/lint/suite/weak-secrets.ts';
import type { LintFinding } from '../../checks/lint-finding.ts';
import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import { Problem } from '../../kernel/problem.ts';
import { tellLint, tellUntapped } from '../../report/terminal/tell-lint.ts';
import type { System } from '../../system/system.ts';
import { findUntapped } from '../../system/untapped.ts';
import { loadTrials } from '../../trials/load-trials.ts';
import { quarantineFile, readQuarantine } from '../../trials/quarantine/read-quarantine.ts';
import type { Trial } from '../../trials/trial.ts';
import { lintRequirements } from '../coverage/lint-requirements.ts';
import { interruptExitCode, listenForInterrupts } from '../interrupts.ts';
import { onRunningSystem } from '../lint/on-running-system.ts';
import { openSystem } from '../open-system.ts';
import { type Call, optionText, type Verb } from '../verb.ts';

export const lint: Verb = {
  summary: 'check the config and the suite; with --live against the running system',
  usage: '[--since REV] [--live [--attach]]',
  words: { atMost: 0 },
  options: {
    since: {
      type: 'string',
      value: 'REV',
      help: 'also: a boundary that changed since this revision needs a changed trial and a changed contract',
    },
    live: {
      type: 'boolean',
      help: 'also: boot the system and hold trials and scripts against what it really has',
    },
    attach: { type: 'boolean', help: 'with --live: on the environment that is up in this folder' },
    variant: { type: 'string', value: 'NAME=VALUE,…', help: 'with --live: as in `up`' },
    containment: { type: 'string', value: 'namespace|ledger', help: 'with --live: as in `up`' },
  },
  run: async (call) => {
    refuseIdleOptions(call);
    const system = await openSystem(call);
    const trials = await loadTrials(system);
    const interrupts = listenForInterrupts();
    try {
      const examined = await examine(call, system, trials, interrupts);
      const signal = interrupts.received();
      if (signal) return interruptExitCode(signal);
      return tell(call, system, trials, examined);
    } finally {
      interrupts.stopListening();
    }
  },
};

async function examine(
  call: Call,
  system: System,
  trials: readonly Trial[],
  interrupts: ReturnType<typeof listenForInterrupts>,
) {
  const since = optionText(call, 'since');
  const quarantine = quarantineFindings({
    file: quarantineFile,
    entries: await readQuarantine(system.folder, trials),
    systemFolder: system.folder,
    now: call.clock.now(),
  });
  const suite = await lintSuite(system, trials);
  const { registry, findings } = await lintRegistry(system, trials);
  const changes = since === undefined ? undefined : await lintSince(since, system, registry, trials);
  const live =
    call.options.live === true
      ? await onRunningSystem(call, system, interrupts, (stage, signal) =>
          lintLive(stage, trials, suite.modules, signal),
        )
      : undefined;
  const all = [
    ...(await emptySuiteFindings(system, trials)),
    ...(await weakSecretFindings(system, call.env)),
    ...suite.findings,
    ...quarantine,
    ...(await lintRequirements(call, system, trials)),
    ...findings,
    ...(changes?.findings ?? []),
    ...(live?.findings ?? []),
  ];
  const told = withoutMeant(toldOnce(all), trials, { live: live !== undefined });
  return { findings: sorted(told), changes, live };
}

type LintExamined = Awaited<ReturnType<typeof examine>>;

function tell(call: Call, system: System, trials: readonly Trial[], examined: LintExamined): ExitCode {
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
  if (call.json) {
    const more = {
      ...(changes ? { changed: changes.changed } : {}),
      ...(live ? { live: live.checked } : {}),
    };
    const told = { ...parts, untapped, findings, notKnown, ...more, errors: [] };
    call.terminal.out(JSON.stringify({ file: system.file, system: system.name, ...told }));
    return exitCode;
  }
  const counted = Object.entries(parts).map(([kind, count]) => `${count} ${kind}`);
  const { paint, hint } = call.terminal;
  const lines = [
    `${system.file}: ${system.name} is well-formed: ${counted.join(', ')}`,
    ...tellUntapped(untapped),
    ...(changes ? [`boundaries that changed: ${changes.changed.join(', ') || 'none'}`] : []),
    ...(live ? [heldAgainst(live.checked)] : []),
    ...tellLint({ findings, notKnown, paint, hint }),
  ];
  call.terminal.out(lines.join('\n'));
  return exitCode;
}

function heldAgainst(checked: Readonly<Record<string, number>>): string {
  const counts = Object.entries(checked).map(([what, count]) => `${count} ${what}`);
  return `held against the running system: ${counts.join(', ')}`;
}

/** By file and line, as an editor would go through them. */
function sorted(findings: readonly LintFinding[]): readonly LintFinding[] {
  return [...findings].sort((a, b) => (a.file === b.file ? a.line - b.line : a.file < b.file ? -1 : 1));
}

function refuseIdleOptions({ options }: Call): void {
  const idle = ['attach', 'variant', 'containment'].find((name) => options[name] !== undefined);
  if (idle === undefined || options.live === true) return;
  throw new Problem({
    code: 'usage.bad-value',
    where: `shakedown lint --${idle}`,
    what: `\`--${idle}\` is about the running system, and \`--live\` is not there`,
    allowed: `--live --${idle}`,
    next: 'add --live, or leave it out',
  });
}
