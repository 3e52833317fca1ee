/** Removes what trials do on purpose, as declared under `lint`, and reports declarations that are not needed. */
import type { LintFinding } from '../../checks/lint-finding.ts';
import type { Trial } from '../../trials/trial.ts';
import { liveKinds } from './live-finding.ts';
import { inTrial } from './rule.ts';

export function withoutMeant(
  findings: readonly LintFinding[],
  trials: readonly Trial[],
  { live }: { readonly live: boolean },
): readonly LintFinding[] {
  const meaning = new Map(
    trials.flatMap((trial) => (trial.lint ? [[inTrial(trial).trial, trial] as const] : [])),
  );
  const isMeant = ({ kind, trial = '' }: LintFinding): boolean =>
    meaning.get(trial)?.lint?.allow.includes(kind) === true;
  const used = new Set(findings.filter(isMeant).map(({ trial, kind }) => `${trial} ${kind}`));
  const idle = [...meaning].flatMap(([id, trial]) =>
    (trial.lint?.allow ?? [])
      .filter((kind) => !used.has(`${id} ${kind}`) && (live || !liveKinds.includes(kind)))
      .map(
        (kind): LintFinding => ({
          kind: 'unused-allowance',
          level: 'warning',
          ...inTrial(trial),
          text: `\`lint.allow\` has \`${kind}\`, but nothing of this kind is found`,
          why: 'an allowance that is not needed hides the next mistake of its kind',
          next: 'remove it',
        }),
      ),
  );
  return [...findings.filter((finding) => !isMeant(finding)), ...idle];
}
