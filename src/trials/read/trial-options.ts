/** Converts the smaller keys of a trial from their written form to the one in use. */
import { createHash } from 'node:crypto';
import type { Explanation } from '../../checks/explanation.ts';
import type { Attack, LogGate, TrialRecord } from '../../checks/trial-record.ts';
import { defined } from '../../kernel/defined.ts';
import { durationMs } from '../../kernel/duration.ts';
import { limits } from '../../kernel/limits.ts';
import { theUsualErrors } from '../../observers/logs/usual-errors.ts';
import type { LogAllowance, System } from '../../system/system.ts';
import type { TrialDocument } from '../document/trial-document.ts';
import type { Need, Trial } from '../trial.ts';

export function logGateOf(system: System, allow: readonly LogAllowance[]): LogGate {
  const all = [...(system.logs.allow ?? []), ...allow];
  return {
    error: system.logs.error ?? theUsualErrors,
    allow: all.flatMap(({ service, match, because }) =>
      (system.rosters[service] ?? [service]).map((name) => ({ service: name, match, because })),
    ),
  };
}

/** Keys that files and flows share: for the record that is judged … */
export function judgedOptions(
  document: OptionsDocument,
  system: System,
): Pick<
  TrialRecord,
  'covers' | 'tags' | 'priority' | 'logs' | 'attacks' | 'expectedFailure' | keyof Explanation
> {
  const { covers, tags, priority, logs, expectedFailure, attacks } = document;
  const { because = '', checks } = expectedFailure ?? {};
  return {
    covers: covers ?? [],
    tags: tags ?? [],
    ...explanationIn(document),
    ...defined({ attacks: attacks && ([attacks].flat() as readonly Attack[]), priority }),
    logs: logGateOf(system, logs?.allow ?? []),
    ...defined({ expectedFailure: expectedFailure && defined({ because, checks }) }),
  };
}

/** A trial that is merely called a regression trial has not been shown to fail. */
function explanationIn({ protects, catches, generated, regression, tags }: OptionsDocument): Explanation {
  const { shownRedOn } = regression ?? { shownRedOn: null };
  return {
    ...defined({ protects, catches, generated }),
    ...(regression || tags?.includes('regression') ? { regression: { shownRedOn } } : {}),
  };
}

/** … and for how it is performed. */
export function performedOptions(
  document: OptionsDocument,
  system: System,
): Pick<
  Trial,
  | 'needs'
  | 'isolation'
  | 'groups'
  | 'lint'
  | 'mayBeLive'
  | 'settleMs'
  | 'timeoutMs'
  | 'attempts'
  | 'atLeast'
  | 'budget'
> {
  const { needs, isolation, groups, settle, timeout } = document;
  const live = isLive(system) ? document.live : undefined;
  const attempts = live?.attempts ?? document.attempts ?? 1;
  const atLeast = live?.atLeast ?? document.atLeast;
  return {
    needs: needsOf(needs ?? []),
    ...defined({ isolation }),
    groups: groups ?? [],
    settleMs: durationMs(settle, system.settleMs),
    timeoutMs: durationMs(timeout, limits.trialWithinMs),
    ...defined({ lint: document.lint, mayBeLive: document.live && (true as const) }),
    attempts,
    atLeast: atLeastOf(atLeast ?? {}, attempts),
    ...defined({ budget: live?.budget as Trial['budget'] }),
  };
}

/** Identifies what a trial does, so that attempts at the same can be compared. */
export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

/** Whether a real model answers. */
function isLive({ resources }: System): boolean {
  return resources.some((resource) => resource.kind === 'model' && resource.mode === 'live');
}

type OptionsDocument = Omit<
  TrialDocument,
  'id' | 'title' | 'cases' | 'use' | 'steps' | 'checks' | 'model' | 'peers' | 'disturb' | 'ladder'
>;

function needsOf(needs: NonNullable<TrialDocument['needs']>): readonly Need[] {
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
function atLeastOf(
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
