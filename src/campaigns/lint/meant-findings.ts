/** Takes out what trials do on purpose, as they say under `lint`, and tells of those that say so without need. */
import type { LintFinding } from '../../checks/lint-finding.ts';
import type { Trial } from '../../trials/trial.ts';
import { baseId, slashed } from './place-of-part.ts';

/** Kinds that only show beside the running system. */
const liveKinds = ['unknown-endpoint', 'unknown-tool', 'tool-arguments', 'unknown-table', 'unknown-column'];

export function withoutMeant(
  findings: readonly LintFinding[],
  trials: readonly Trial[],
  { live }: { readonly live: boolean },
): readonly LintFinding[] {
  const meaning = new Map(trials.flatMap((trial) => (trial.lint ? [[baseId(trial), trial] as const] : [])));
  const used = new Set<string>();
  const left = findings.filter(({ kind, trial }) => {
    const isMeant = trial !== undefined && meaning.get(trial)?.lint?.allow.includes(kind) === true;
    if (isMeant) used.add(`${trial} ${kind}`);
    return !isMeant;
  });
  const idle = [...meaning].flatMap(([id, { lint, record }]) =>
    (lint?.allow ?? [])
      .filter((kind) => !used.has(`${id} ${kind}`) && (live || !liveKinds.includes(kind)))
      .map((kind): LintFinding => idleAllowance(id, kind, { file: slashed(record.file), line: record.line })),
  );
  return [...left, ...idle];
}

function idleAllowance(
  trial: string,
  kind: string,
  place: { readonly file: string; readonly line: number },
): LintFinding {
  return {
    kind: 'unused-allowance',
    level: 'warning',
    trial,
    ...place,
    text: `\`lint.allow\` has \`${kind}\`, and nothing of the kind is found`,
    why: 'an allowance that is not needed hides the next mistake of its kind',
    next: 'remove it',
  };
}
