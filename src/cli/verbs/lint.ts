/** `shakedown lint`: loads the config and every trial as `run` does, and reports all problems of the suite. */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { lintProject } from '../../campaigns/lint/project/lint-project.ts';
import { withInterrupts } from '../../campaigns/session/interrupts.ts';
import { openSystem } from '../../campaigns/session/open-system.ts';
import { writeShared } from '../../journal/write-redacted.ts';
import { defined } from '../../kernel/defined.ts';
import { type ExitCode, exitCodes, interruptExitCode } from '../../kernel/exit-codes.ts';
import { isMap } from '../../kernel/is-map.ts';
import { formatLint, formatNotices, formatUntapped } from '../../report/terminal/format-lint.ts';
import type { System } from '../../system/system.ts';
import { findUntapped } from '../../system/untapped.ts';
import { addPlugins } from '../../trials/kinds/add-plugins.ts';
import { trialSchemaText } from '../../trials/load/json-schema.ts';
import { loadTrials } from '../../trials/load/load-trials.ts';
import type { Trial } from '../../trials/trial.ts';
import { badOption, environmentOptions, readEnvironmentRequest, refuseWithout } from '../call/options.ts';
import { print } from '../call/print.ts';
import { type Call, optionText, type Verb } from '../call/verb.ts';

export const lint: Verb = {
  summary: 'check the config and the suite; with --live against the running system',
  usage: '[--since REV] [--live [--attach]] [--schema FILE]',
  options: {
    since: {
      value: 'REV',
      help: 'also: a boundary that changed since this revision needs a changed trial and a changed contract',
    },
    live: { help: 'also: boot the system and compare trials and scripts with what it really provides' },
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
    if (schema !== undefined) await writeSchema(call, schema, system);
    const trials = await loadTrials(system);
    return withInterrupts(async (interrupts) => {
      const request = {
        ...readEnvironmentRequest(call),
        attach: call.options.attach === true,
        live: call.options.live === true,
        since: optionText(call, 'since'),
      };
      const examined = await lintProject(call, { system, trials }, request, interrupts);
      const signal = interrupts.received();
      if (signal) return interruptExitCode(signal);
      return report(call, system, trials, examined);
    });
  },
};

/** Before the trials are read: an editor may help to correct them. Replaces an older schema, and no other file. */
async function writeSchema(call: Call, given: string, system: System): Promise<void> {
  const file = path.resolve(call.cwd, given);
  if (existsSync(file) && !isSchema(file))
    throw badOption(
      call,
      'schema',
      `${JSON.stringify(given)} exists, and is not a JSON Schema`,
      'a new file, or a JSON Schema to be replaced',
      'choose another name, such as `--schema trial.schema.json`',
    );
  await addPlugins(system);
  writeShared(system.folder, file, trialSchemaText());
}

function isSchema(file: string): boolean {
  try {
    const value: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isMap(value) && typeof value.$schema === 'string';
  } catch {
    return false;
  }
}

type LintExamined = Awaited<ReturnType<typeof lintProject>>;

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
  const ignored = system.composeNotices;
  const shown = { ...parts, untapped, findings, notKnown, ...more, ...defined({ ignored }), errors: [] };
  const counted = Object.entries(parts).map(([kind, count]) => `${count} ${kind}`);
  print(call, { file: system.file, system: system.name, ...shown }, ({ paint, hint }) => [
    `${system.file}: ${system.name} is well-formed: ${counted.join(', ')}`,
    ...formatUntapped(untapped),
    ...formatNotices(system.composeNotices ?? [], path.dirname(system.file)),
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
