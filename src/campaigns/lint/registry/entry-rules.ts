/** Rules on the entries of the registry and the catalogue: complete, unique, and about trials and boundaries that exist. */
import { canFail } from '../../../checks/trial-record.ts';
import { baseId } from '../../../kernel/base-id.ts';
import { didYouMean } from '../../../kernel/nearest.ts';
import type { BoundaryDocument } from '../../../system/document/boundaries-document.ts';
import type { RiskDocument } from '../../../system/document/catalogue-document.ts';
import type { Trial } from '../../../trials/trial.ts';
import { type Found, inTrial, type Rule } from '../rule.ts';
import { type BoundaryRegistry, type Entry, namesTrial } from './registry.ts';

interface Registered {
  readonly registry: BoundaryRegistry | undefined;
  /** Of the registry; none without one. */
  readonly boundaries: readonly Entry<BoundaryDocument>[];
  readonly risks: readonly Entry<RiskDocument>[];
  readonly trials: readonly Trial[];
  /** Of the config. */
  readonly folder: string;
}

export const boundaryRules: readonly Rule<Registered>[] = [
  {
    kind: 'incomplete-boundary',
    level: 'finding',
    why: 'a surface without both contracts and an owner cannot be attacked on purpose',
    find: ({ boundaries }) =>
      boundaries.flatMap(({ id, written, place }) =>
        incompleteKeys(written, boundaryTexts, boundaryLists).map(({ key, at, next }) => ({
          ...place(...at),
          text: `the boundary \`${id}\` has no \`${key}\``,
          next,
        })),
      ),
  },
  {
    kind: 'duplicate-boundary',
    level: 'finding',
    why: 'trials and catalogue cannot say which of the two they mean',
    next: 'rename one of them, or merge them',
    find: ({ boundaries }) =>
      repeated(boundaries).map(({ id, place, first }) => ({
        ...place('id'),
        text: `the boundary \`${id}\` is already defined in line ${first.place('id').line}`,
      })),
  },
  {
    kind: 'unknown-trial',
    level: 'finding',
    why: 'its trial was removed, renamed, or never written',
    find: ({ boundaries, risks, trials }) => [
      ...unknownTrials(boundaries, 'boundary', trials),
      ...unknownTrials(risks, 'entry', trials),
    ],
  },
  {
    kind: 'overclaimed-tier',
    level: 'finding',
    why: 'a status without a trial is trusted until it breaks',
    find: ({ boundaries, trials }) =>
      tiersOf(boundaries, trials).flatMap(({ id, tier, status, labelled, place }) => {
        const passing = labelled.filter(({ record }) => !record.expectedFailure && canFail(record));
        if (status === 'missing' || (status === 'partial' ? labelled : passing).length > 0) return [];
        const attacks = `\`attacks: { boundary: ${id}, tier: ${tier} }\``;
        const because =
          labelled.length === 0
            ? `no trial says ${attacks}`
            : `those that attack it are expected to fail, or check nothing: ${namesOf(labelled).join(', ')}`;
        return [
          {
            ...place,
            text: `tier ${tier} of \`${id}\` is declared ${status}, but ${because}`,
            next: `say \`missing\`, or add ${attacks} to a trial that attacks it`,
          },
        ];
      }),
  },
  {
    kind: 'underclaimed-tier',
    level: 'warning',
    why: 'the registry is out of date',
    next: 'say `partial` or `covered`',
    find: ({ boundaries, trials }) =>
      tiersOf(boundaries, trials)
        .filter(({ status, labelled }) => status === 'missing' && labelled.length > 0)
        .map(({ id, tier, labelled, place }) => ({
          ...place,
          text: `tier ${tier} of \`${id}\` is declared missing, but ${[...new Set(namesOf(labelled))].join(', ')} attack it`,
        })),
  },
  {
    kind: 'unknown-boundary',
    level: 'finding',
    why: 'it does not count for any boundary',
    find: (registered) => [
      ...registered.trials.flatMap((trial) => unknownInTrial(trial, registered)),
      ...registered.risks.flatMap((risk) => unknownInRisk(risk, registered)),
    ],
  },
];

export const riskRules: readonly Rule<Registered>[] = [
  {
    kind: 'duplicate-risk',
    level: 'finding',
    why: 'it is unclear which of the two is meant',
    next: 'rename one of them, or merge them',
    find: ({ risks }) =>
      repeated(risks).map(({ id, place }) => ({ ...place('id'), text: `the entry \`${id}\` occurs twice` })),
  },
  {
    kind: 'incomplete-risk',
    level: 'finding',
    why: 'an incomplete entry cannot be acted on: it must say what to do, where it breaks, what shows it and whom to ask',
    find: ({ risks }) =>
      incompleteRisks(risks, riskTexts, { boundary: 'the boundary at which it can go wrong' }),
  },
  {
    kind: 'risk-without-trial',
    level: 'finding',
    why: 'a known risk that no trial attacks will hit the first user',
    find: ({ risks }) => incompleteRisks(risks, {}, { trials: 'the ids of the trials that show it' }),
  },
];

const boundaryTexts = {
  owner: 'who is responsible for it',
  bounded: 'what can be known of its data',
  unbounded: 'what cannot be known',
  invalid: 'the contract of tier 1: how illegal input is contained',
  valid: 'the contract of tier 2: what every legal shape comes to',
  layer: 'by which means it is attacked',
};
const boundaryLists = {
  sources: 'the files in which it lives',
  'tiers.1': 'missing, partial or covered',
  'tiers.2': 'missing, partial or covered',
};
const riskTexts = {
  userAction: 'what the user does',
  risk: 'what would happen',
  evidence: 'the observation that shows that it did not',
  owner: 'who is responsible for it',
};

function incompleteRisks(
  risks: readonly Entry<RiskDocument>[],
  ...demanded: readonly [texts: Readonly<Record<string, string>>, lists: Readonly<Record<string, string>>]
): readonly Found[] {
  return risks.flatMap(({ id, written, place }) =>
    incompleteKeys(written, ...demanded).map(({ key, at, next }) => ({
      ...place(...at),
      text: `the entry \`${id}\` has no \`${key}\``,
      next,
    })),
  );
}

function repeated<Document>(entries: readonly Entry<Document>[]) {
  return entries.flatMap((entry, index) => {
    const first = entries.find(({ id }) => id === entry.id) ?? entry;
    return first === entries[index] ? [] : [{ ...entry, first }];
  });
}

function unknownTrials(
  entries: readonly Entry<Pick<RiskDocument, 'trials'>>[],
  noun: string,
  trials: readonly Trial[],
): readonly Found[] {
  const next = 'correct the name, or write the trial; see all: shakedown run --list';
  return entries.flatMap(({ id, written, place }) =>
    (written.trials ?? []).flatMap((word, index) => {
      if (trials.some((trial) => namesTrial(word, trial))) return [];
      const text = `the ${noun} \`${id}\` names ${JSON.stringify(word)}, but the suite has no such trial`;
      return [{ ...place('trials', index), text, next: didYouMean(word, namesOf(trials), next) }];
    }),
  );
}

function namesOf(trials: readonly Trial[]): readonly string[] {
  return trials.map(({ record }) => baseId(record.id));
}

/** `covered` requires a trial that must pass; `partial` any trial. */
function tiersOf(boundaries: Registered['boundaries'], trials: readonly Trial[]) {
  return boundaries.flatMap(({ id, written, place }) =>
    ([1, 2] as const).flatMap((tier) => {
      const status = written.tiers?.[tier];
      const labelled = trials.filter(({ record }) =>
        record.attacks?.some((attack) => attack.boundary === id && attack.tier === tier),
      );
      return status === undefined ? [] : [{ id, tier, status, labelled, place: place('tiers', tier) }];
    }),
  );
}

/** Without a registry, boundaries that trials name cannot be verified. */
function unknownInTrial(trial: Trial, { registry, boundaries, folder }: Registered): readonly Found[] {
  const { attacks = [] } = trial.record;
  const place = inTrial(trial, folder, 'attacks');
  const none = {
    text: 'it attacks a boundary, but the config names no registry of boundaries',
    next: 'add `boundaries: shakedown/boundaries.yaml` to the config, and register the boundary there',
  };
  if (!registry) return trial.record.attacks ? [{ ...place, ...none }] : [];
  const ids = boundaries.map(({ id }) => id);
  return attacks
    .filter(({ boundary }) => !ids.includes(boundary))
    .map(({ boundary }) => ({
      ...place,
      text: `it attacks \`${boundary}\`, which is not a boundary of the registry`,
      next: didYouMean(boundary, ids, `register it, or name one of ${ids.join(', ')}`),
    }));
}

function unknownInRisk(
  { id, written, place }: Entry<RiskDocument>,
  { registry, boundaries }: Registered,
): readonly Found[] {
  const ids = boundaries.map((one) => one.id);
  const next = registry
    ? `register it in ${registry.shown}`
    : 'add `boundaries: shakedown/boundaries.yaml` to the config, and register it there';
  return [written.boundary ?? []]
    .flat()
    .filter((one) => !ids.includes(one))
    .map((one) => ({
      ...place('boundary'),
      text: `the entry \`${id}\` is about the boundary \`${one}\`, which is not registered`,
      why: 'without a contract the risk cannot be judged',
      next: didYouMean(one, ids, next),
    }));
}

/** Placeholders for a text that is still to be written. */
const placeholders =
  /^(?:t\.?b\.?[adc]\.?|to\s?do|fix\s?me|n\/?a|none|unknown|\?+|-+|\.{2,}|…|x{3,})[.!:]?$/i;

/** Which demanded keys of an entry are missing, or hold a placeholder. */
export function isMissing(text: unknown): boolean {
  return typeof text !== 'string' || text.trim() === '' || placeholders.test(text.trim());
}

/** `texts` and `lists` say for each demanded key what it is for. */
function incompleteKeys(
  entry: object,
  texts: Readonly<Record<string, string>>,
  lists: Readonly<Record<string, string>>,
) {
  const isEmpty = (value: unknown): boolean =>
    value === undefined || ((Array.isArray(value) || typeof value === 'string') && value.length === 0);
  return [
    ...Object.entries(texts).filter(([key]) => isMissing(Reflect.get(entry, key))),
    ...Object.entries(lists).filter(([key]) => isEmpty(valueAt(entry, key))),
  ].map(([key, what]) => {
    // The path of the key where it is written, otherwise that of the entry.
    const at = Object.hasOwn(entry, key) ? [key] : [];
    return { key, at, next: `write it: ${what}` };
  });
}

/** Of `tiers.1`: the value under `1` of `tiers`. */
function valueAt(entry: object, key: string): unknown {
  return key.split('.').reduce<unknown>((value, step) => Object(value)[step], entry);
}
