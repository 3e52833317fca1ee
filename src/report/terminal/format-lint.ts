/** The findings of `lint` for a person. Pure. */
import type { LintFinding, NotKnown } from '../../checks/lint-finding.ts';
import type { Observation } from '../../journal/observation.ts';
import { counted } from '../../kernel/counted.ts';

export interface LintReport {
  readonly findings: readonly LintFinding[];
  readonly notKnown: readonly NotKnown[];
  readonly paint: (style: 'bold' | 'dim' | 'red' | 'yellow', text: string) => string;
  /** Completes the commands in `next`. */
  readonly hint: (text: string) => string;
}

/** Edges without a tap: which service would connect, and to what. */
export function formatUntapped(untapped: Observation['untapped']): readonly string[] {
  if (untapped.length === 0) return [];
  const lines = untapped.map(
    ({ from, address, where, because }) => `  ${from} -> ${address} (${where}): ${because}`,
  );
  return ['edges that no tap can observe:', ...lines];
}

/** What has no effect, each with its place; `folder` is that of the config. */
export function formatNotices(
  notices: ReadonlyArray<{ readonly where: string; readonly what: string }>,
  folder: string,
): readonly string[] {
  if (notices.length === 0) return [];
  const lines = notices.map(({ where, what }) => `  ${where.replace(`${folder}/`, '')}: ${what}`);
  return ['of the compose files, without effect here:', ...lines];
}

export function formatLint({ findings, notKnown, paint, hint }: LintReport): readonly string[] {
  const serious = findings.filter(({ level }) => level === 'finding');
  const lesser = findings.filter(({ level }) => level === 'warning');
  const shown = [
    ...group(
      serious,
      paint('red', `${counted(serious.length, 'finding')}: as it is, the suite is not honest`),
    ),
    ...group(lesser, paint('yellow', `${counted(lesser.length, 'warning')}`)),
    ...(notKnown.length === 0 ? [] : ['not known, and not counted as fine:', ...notKnown.map(unknownLine)]),
  ];
  return shown.map((text) => (text.startsWith(nextLabel) ? hint(text) : text));
}

const nextLabel = '    next  ';

/** A reason that findings of one kind share is shown once, after the last of them. */
function group(findings: readonly LintFinding[], heading: string): readonly string[] {
  if (findings.length === 0) return [];
  const reasons = [...new Set(findings.map(({ kind, why }) => `${kind} ${why}`))];
  return [
    heading,
    ...reasons.flatMap((reason) => {
      const same = findings.filter(({ kind, why }) => `${kind} ${why}` === reason);
      const isOne = new Set(same.map(({ next }) => next)).size === 1;
      return [
        ...same.flatMap((one) => [line(one), ...(isOne ? [] : [`${nextLabel}${one.next}`])]),
        `    why   ${same[0]?.why}`,
        ...(isOne ? [`${nextLabel}${same[0]?.next}`] : []),
      ];
    }),
  ];
}

function line({ trial, check, file, line: number, text, kind }: LintFinding): string {
  const name = [trial, check].filter((part) => part !== undefined).join(', ');
  return `  ${file}:${number}  ${kind}  ${name === '' ? '' : `${name}: `}${text}`;
}

const mostNames = 3;

function unknownLine({ what, count, because, names = [] }: NotKnown): string {
  const shown = names.slice(0, mostNames).join(', ');
  const some = shown === '' ? '' : ` (${shown}${count > mostNames ? ', …' : ''})`;
  return `  ${count} ${what}${some}: ${because}`;
}
