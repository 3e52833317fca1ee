/** `shakedown lint`: reads the config and every trial as `run` would, and says all that is wrong with them. */
import type { SuiteFaultKind } from '../../checks/suite-fault.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { findUntapped, type Untapped } from '../../system/untapped.ts';
import { loadTrials } from '../../trials/load-trials.ts';
import type { Trial } from '../../trials/trial.ts';
import { openSystem } from '../open-system.ts';
import type { Verb } from '../verb.ts';

export const lint: Verb = {
  summary: 'check the config and the trials without starting anything',
  usage: '',
  words: { atMost: 0 },
  options: {},
  run: async (call) => {
    const system = await openSystem(call);
    const trials = await loadTrials(system);
    const parts = {
      resources: system.resources.length,
      jobs: system.jobs.length,
      services: system.services.length,
      trials: trials.length,
    };
    const untapped = findUntapped(system);
    const findings = findingsOf(trials);
    if (call.json) {
      call.terminal.out(
        JSON.stringify({ file: system.file, system: system.name, ...parts, untapped, findings, errors: [] }),
      );
      return exitCodes.held;
    }
    const counted = Object.entries(parts).map(([kind, count]) => `${count} ${kind}`);
    call.terminal.out(`${system.file}: ${system.name} is well-formed: ${counted.join(', ')}`);
    if (untapped.length > 0) call.terminal.out(untappedText(untapped));
    if (findings.length > 0) call.terminal.out(findingsText(findings));
    return exitCodes.held;
  },
};

/** What can be performed and proves nothing: a run of it would end with 6. */
interface Finding {
  readonly kind: SuiteFaultKind;
  readonly trial: string;
  readonly check?: string;
  readonly file: string;
  readonly line: number;
  readonly text: string;
}

/** The cases of a trial have the same steps and checks, and are told once. */
function findingsOf(trials: readonly Trial[]): readonly Finding[] {
  const told = new Map<string, Finding>();
  for (const finding of trials.flatMap((trial) => [...withoutCheck(trial), ...unproven(trial)])) {
    const trial = finding.trial.replace(/\[.*\]$/, '');
    const name = `${trial}, ${finding.check ?? ''}`;
    if (!told.has(name)) told.set(name, { ...finding, trial });
  }
  return [...told.values()];
}

/** A flow declares its checks while it runs. */
function withoutCheck({ record }: Trial): readonly Finding[] {
  const { id, kind, file, line, steps, checks } = record;
  if (kind === 'flow' || checks.length > 0 || steps.some(({ expect }) => expect !== undefined)) return [];
  const text = 'it checks nothing: add `checks`, or `expect` to a step';
  return [{ kind: 'no-check', trial: id, file, line, text }];
}

function unproven({ record: { id, file, checks } }: Trial): readonly Finding[] {
  return checks
    .filter(({ absence, provenBy }) => absence && provenBy === undefined)
    .map(({ id: check, line, source }) => ({
      kind: 'absence-without-twin',
      trial: id,
      check,
      file,
      line,
      text: `nothing proves that it would have been seen: add \`provenBy: <trial>\` with a trial in which \`${source}\` shows something`,
    }));
}

function untappedText(untapped: readonly Untapped[]): string {
  const lines = untapped.map(
    ({ from, address, where, because }) => `  ${from} -> ${address} (${where}): ${because}`,
  );
  return ['edges that no tap can see:', ...lines].join('\n');
}

function findingsText(findings: readonly Finding[]): string {
  const lines = findings.map(({ trial, check, file, line, text }) => {
    const name = check === undefined ? trial : `${trial}, ${check}`;
    return `  ${file}:${line}  ${name}: ${text}`;
  });
  return ['trials that prove nothing as they are (a run ends with 6):', ...lines].join('\n');
}
