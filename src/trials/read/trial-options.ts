/** The smaller keys of a trial, from their written form to the one that is used. */
import type { LogGate } from '../../checks/trial-record.ts';
import type { LogAllowance, System } from '../../system/system.ts';
import type { TrialDocument } from '../document/trial-document.ts';
import type { Need } from '../trial.ts';

/** An error line as most programs write it; the config may say another. */
const usualErrors =
  '\\b(ERROR|FATAL|CRITICAL|PANIC)\\b|^Traceback|^panic:|Unhandled(?:Promise)?Rejection|Uncaught ';

export function logGateOf(system: System, allow: readonly LogAllowance[]): LogGate {
  const all = [...(system.logs.allow ?? []), ...allow];
  return {
    error: system.logs.error ?? usualErrors,
    allow: all.flatMap(({ service, match, because }) =>
      (system.rosters[service] ?? [service]).map((name) => ({ service: name, match, because })),
    ),
  };
}

export function needsOf(needs: NonNullable<TrialDocument['needs']>): readonly Need[] {
  return needs.flatMap((need): Need[] => {
    if (typeof need === 'string') return [{ kind: need }];
    return [
      ...(need.env === undefined ? [] : [{ kind: 'env' as const, name: need.env }]),
      ...(need.binary === undefined ? [] : [{ kind: 'binary' as const, name: need.binary }]),
      ...(need.port === undefined ? [] : [{ kind: 'port' as const, port: need.port }]),
      ...(need.platform === undefined ? [] : [{ kind: 'platform' as const, platform: need.platform }]),
    ];
  });
}

/** `80%` of five attempts is four. */
export function atLeastOf(
  written: Readonly<Record<string, number | string>>,
  attempts: number,
): Readonly<Record<string, number>> {
  return Object.fromEntries(
    Object.entries(written).map(([check, least]) => [
      check,
      typeof least === 'number' ? least : Math.ceil((Number.parseInt(least, 10) / 100) * attempts),
    ]),
  );
}
