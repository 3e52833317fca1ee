/** The entries of the registry themselves: complete, each id once, and no tier that claims more than its trials show. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import { nearest } from '../../../kernel/nearest.ts';
import type { Trial } from '../../../trials/trial.ts';
import { baseId, placeOfPart } from '../place-of-part.ts';
import { type Boundary, type BoundaryRegistry, namesTrial } from './boundary-registry.ts';
import { isMissing } from './missing-text.ts';

export function entryFindings(
  { boundaries }: BoundaryRegistry,
  trials: readonly Trial[],
  folder: string,
): readonly LintFinding[] {
  return [
    ...boundaries.flatMap(incomplete),
    ...repeated(boundaries),
    ...boundaries.flatMap((boundary) => unknownTrials(boundary, trials)),
    ...boundaries.flatMap((boundary) => ([1, 2] as const).flatMap((tier) => claims(boundary, tier, trials))),
    ...unknownBoundaries(boundaries, trials, folder),
  ];
}

const demanded = {
  owner: 'who answers for it',
  bounded: 'what can be known of its data',
  unbounded: 'what cannot be known',
  invalid: 'the contract of tier 1: how illegal input is contained',
  valid: 'the contract of tier 2: what every legal shape comes to',
  layer: 'by which means it is attacked',
} as const;

function incomplete({ id, written, place }: Boundary): readonly LintFinding[] {
  const texts = Object.entries(demanded).filter(([key]) => isMissing(written[key as keyof typeof demanded]));
  const lists = [
    ...((written.sources ?? []).length === 0 ? [['sources', 'the files in which it lives']] : []),
    ...([1, 2] as const).flatMap((tier) =>
      written.tiers?.[tier] === undefined ? [[`tiers.${tier}`, 'missing, partial or covered']] : [],
    ),
  ];
  return [...texts, ...lists].map(([key = '', what = '']) => ({
    kind: 'incomplete-boundary',
    level: 'finding',
    ...place(...(Object.hasOwn(written, key) ? [key] : [])),
    text: `the boundary \`${id}\` has no \`${key}\``,
    why: 'a surface without both contracts and somebody who answers for them cannot be attacked on purpose',
    next: `write it: ${what}`,
  }));
}

function repeated(boundaries: readonly Boundary[]): readonly LintFinding[] {
  return boundaries.flatMap(({ id, place }, index) => {
    const first = boundaries.findIndex((other) => other.id === id);
    if (first === index) return [];
    return [
      {
        kind: 'duplicate-boundary',
        level: 'finding',
        ...place('id'),
        text: `the boundary \`${id}\` stands already in line ${boundaries[first]?.place('id').line}`,
        why: 'trials and catalogue cannot say which of the two they mean',
        next: 'rename one of them, or make one of both',
      } as const,
    ];
  });
}

function unknownTrials({ id, written, place }: Boundary, trials: readonly Trial[]): readonly LintFinding[] {
  return (written.trials ?? []).flatMap((word, index) =>
    trials.some((trial) => namesTrial(word, trial))
      ? []
      : [unknownTrial(word, `the boundary \`${id}\``, place('trials', index), trials)],
  );
}

export function unknownTrial(
  word: string,
  owner: string,
  place: { readonly file: string; readonly line: number },
  trials: readonly Trial[],
): LintFinding {
  const guess = nearest(word, [...new Set(trials.map(baseId))]);
  return {
    kind: 'unknown-trial',
    level: 'finding',
    ...place,
    text: `${owner} names ${JSON.stringify(word)}, and no trial of the suite is that`,
    why: 'what it was to be shown by is gone, renamed, or was never written',
    next: guess
      ? `did you mean \`${guess}\`?`
      : 'correct the name, or write the trial; see all: shakedown run --list',
  };
}

/** `covered` wants a trial that must pass; `partial` one at all. */
function claims(
  { id, written, place }: Boundary,
  tier: 1 | 2,
  trials: readonly Trial[],
): readonly LintFinding[] {
  const status = written.tiers?.[tier];
  const labelled = trials.filter(
    ({ record }) => record.attacks?.some((attack) => attack.boundary === id && attack.tier === tier) === true,
  );
  const passing = labelled.filter(({ record }) => record.expectedFailure === undefined && canFail(record));
  if (status === undefined || (status === 'missing' && labelled.length === 0)) return [];
  if (status === 'missing') return [tooModest(id, tier, labelled, place('tiers', tier))];
  if (status === 'partial' ? labelled.length > 0 : passing.length > 0) return [];
  return [
    {
      kind: 'overclaimed-tier',
      level: 'finding',
      ...place('tiers', tier),
      text: `tier ${tier} of \`${id}\` is said to be ${status}, and ${
        labelled.length === 0
          ? `no trial says \`attacks: { boundary: ${id}, tier: ${tier} }\``
          : `those that attack it are expected to fail, or check nothing: ${labelled.map(baseId).join(', ')}`
      }`,
      why: 'a status that nothing shows is what everybody relies on until it breaks',
      next: `say \`missing\`, or add \`attacks: { boundary: ${id}, tier: ${tier} }\` to a trial that attacks it`,
    },
  ];
}

function canFail({ kind, checks, steps }: Trial['record']): boolean {
  return kind === 'flow' || checks.length > 0 || steps.some(({ expect }) => expect !== undefined);
}

function tooModest(
  id: string,
  tier: 1 | 2,
  labelled: readonly Trial[],
  place: { readonly file: string; readonly line: number },
): LintFinding {
  return {
    kind: 'underclaimed-tier',
    level: 'warning',
    ...place,
    text: `tier ${tier} of \`${id}\` is said to be missing, and ${[...new Set(labelled.map(baseId))].join(', ')} attack it`,
    why: 'the registry is behind the suite',
    next: 'say `partial` or `covered`',
  };
}

function unknownBoundaries(
  boundaries: readonly Boundary[],
  trials: readonly Trial[],
  folder: string,
): readonly LintFinding[] {
  const ids = boundaries.map(({ id }) => id);
  return trials.flatMap((trial) =>
    (trial.record.attacks ?? [])
      .filter(({ boundary }) => !ids.includes(boundary))
      .map(({ boundary }) => {
        const guess = nearest(boundary, ids);
        return {
          kind: 'unknown-boundary',
          level: 'finding',
          trial: baseId(trial),
          ...placeOfPart(trial, 'attacks', folder),
          text: `it attacks \`${boundary}\`, which is no boundary of the registry`,
          why: 'it counts for nothing there',
          next: guess ? `did you mean \`${guess}\`?` : `register it, or name one of ${ids.join(', ')}`,
        } as const;
      }),
  );
}
