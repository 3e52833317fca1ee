/** The catalogue of high-risk trials: every entry whole, at a boundary that is registered, and shown by a trial that exists. */
import path from 'node:path';
import type { LintFinding } from '../../../checks/lint-finding.ts';
import { nearest } from '../../../kernel/nearest.ts';
import {
  type CatalogueDocument,
  catalogueDocument,
  type RiskDocument,
} from '../../../system/document/catalogue-document.ts';
import type { System } from '../../../system/system.ts';
import type { Trial } from '../../../trials/trial.ts';
import { type LintPlace, slashed } from '../place-of-part.ts';
import { type BoundaryRegistry, namesTrial } from './boundary-registry.ts';
import { unknownTrial } from './entry-findings.ts';
import { isMissing } from './missing-text.ts';
import { readDocument } from './read-document.ts';

export async function catalogueFindings(
  { catalogue: file, folder }: System,
  registry: BoundaryRegistry | undefined,
  trials: readonly Trial[],
): Promise<readonly LintFinding[]> {
  if (file === undefined) return [];
  const { document, source } = await readDocument<CatalogueDocument>(
    file,
    catalogueDocument,
    'catalogue of high-risk trials',
  );
  const shown = slashed(path.relative(folder, file));
  return document.risks.flatMap((risk, index) => {
    const place = (...steps: readonly (string | number)[]): LintPlace => ({
      file: shown,
      line: source.keyLine(['risks', index, ...steps]),
    });
    const first = document.risks.findIndex(({ id }) => id === risk.id);
    return [
      ...(first === index ? [] : [repeated(risk, place('id'))]),
      ...incomplete(risk, place),
      ...unknownBoundary(risk, registry, place('boundary')),
      ...(risk.trials ?? []).flatMap((word, position) =>
        trials.some((trial) => namesTrial(word, trial))
          ? []
          : [unknownTrial(word, `the entry \`${risk.id}\``, place('trials', position), trials)],
      ),
    ];
  });
}

type Place = (...steps: readonly (string | number)[]) => LintPlace;

const demanded = {
  userAction: 'what the user does',
  risk: 'what would happen',
  evidence: 'the observation that shows that it did not',
  owner: 'who answers for it',
} as const;

function incomplete(risk: RiskDocument, place: Place): readonly LintFinding[] {
  const { id, boundary, trials } = risk;
  const texts = Object.entries(demanded).filter(([key]) => isMissing(risk[key as keyof typeof demanded]));
  const lists = [
    ...(boundary === undefined || boundary.length === 0
      ? [['boundary', 'the boundary at which it can go wrong']]
      : []),
    ...(trials === undefined || trials.length === 0
      ? [['trials', 'the ids of the trials that show it']]
      : []),
  ];
  return [...texts, ...lists].map(([key = '', what = '']) => ({
    kind: key === 'trials' ? 'risk-without-trial' : 'incomplete-risk',
    level: 'finding',
    ...place(...(Object.hasOwn(risk, key) ? [key] : [])),
    text: `the entry \`${id}\` has no \`${key}\``,
    why:
      key === 'trials'
        ? 'a risk that is known and that no trial attacks is met by the first user'
        : 'an entry with a gap cannot be handed to anybody: what to do, where it breaks, what shows it, whom to ask',
    next: `write it: ${what}`,
  }));
}

function repeated({ id }: RiskDocument, place: LintPlace): LintFinding {
  return {
    kind: 'duplicate-risk',
    level: 'finding',
    ...place,
    text: `the entry \`${id}\` stands there twice`,
    why: 'nobody can say which of the two is meant',
    next: 'rename one of them, or make one of both',
  };
}

function unknownBoundary(
  { id, boundary }: RiskDocument,
  registry: BoundaryRegistry | undefined,
  place: LintPlace,
): readonly LintFinding[] {
  const ids = registry?.boundaries.map((one) => one.id) ?? [];
  const named = boundary === undefined ? [] : Array.isArray(boundary) ? boundary : [boundary];
  return named
    .filter((one) => !ids.includes(one))
    .map((one) => {
      const guess = nearest(one, ids);
      return {
        kind: 'unknown-boundary',
        level: 'finding',
        ...place,
        text: `the entry \`${id}\` is about the boundary \`${one}\`, which is not registered`,
        why: 'it has no contract by which the risk could be judged',
        next: guess
          ? `did you mean \`${guess}\`?`
          : registry
            ? `register it in ${registry.shown}`
            : 'add `boundaries: shakedown/boundaries.yaml` to the config, and register it there',
      } as const;
    });
}
