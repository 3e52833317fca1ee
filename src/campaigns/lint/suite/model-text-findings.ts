/** Checks that demand the exact words of a model: they hold for the script alone, and say nothing of the system. */

import type { LintFinding } from '../../../checks/lint-finding.ts';
import { isContainer } from '../../../kernel/exact-json.ts';
import type { System } from '../../../system/system.ts';
import type { Trial, TrialPart } from '../../../trials/trial.ts';
import { baseId, placeOfPart } from '../place-of-part.ts';

/** From so many characters, and words, on, a text is one that a model would word otherwise the next time. */
const long = { characters: 50, words: 6 };
/** Where the model may be a real one, a sentence is enough. */
const longWhenLive = { characters: 20, words: 3 };

export function modelTextFindings(system: System, trials: readonly Trial[]): readonly LintFinding[] {
  const standing = system.resources.flatMap((resource) =>
    resource.kind === 'model' ? Object.values(resource.standing).flat() : [],
  );
  return trials.flatMap((trial) => {
    const least = trial.mayBeLive ? longWhenLive : long;
    const scripts = Object.values(trial.scripts).flatMap((script) =>
      Array.isArray(script) ? [] : Object.values(script as Record<string, unknown[]>).flat(),
    );
    const said = new Set([...scripts, ...standing].flatMap((line) => saysOf(line, least)));
    const sent = new Set(trial.steps.flatMap(({ spec }) => textsIn(spec)));
    return expectations(trial).flatMap(({ part, pattern, check }) =>
      literals(pattern).flatMap((text) => {
        const isSaid = said.has(text);
        const mayBeSaid = trial.mayBeLive === true && isLong(text, long) && !sent.has(text);
        if (!isSaid && !mayBeSaid) return [];
        return [
          {
            kind: 'exact-model-text',
            level: trial.mayBeLive && isSaid ? 'finding' : 'warning',
            trial: baseId(trial),
            ...(check === undefined ? {} : { check }),
            ...placeOfPart(trial, part, system.folder),
            ...told(text, isSaid, trial.mayBeLive === true),
          } as const,
        ];
      }),
    );
  });
}

function told(text: string, isSaid: boolean, live: boolean): Pick<LintFinding, 'text' | 'why' | 'next'> {
  const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
  return {
    text: isSaid
      ? `it expects, word for word, what the script of the model says: ${shown}`
      : `it expects a long text word for word, in a trial whose model may be a real one: ${shown}`,
    why: live
      ? 'a real model never says the same twice, so that this fails where nothing is wrong'
      : 'it holds because the script says so; the next wording of a real model would fail it',
    next: 'expect structure: `{ $type: string, $length: { $gte: 1 } }`, `{ $regex: <the fact> }`, or the call and the row that must come of it',
  };
}

interface Least {
  readonly characters: number;
  readonly words: number;
}

function saysOf(line: unknown, least: Least): readonly string[] {
  const { says } = (line ?? {}) as { readonly says?: unknown };
  return typeof says === 'string' && isLong(says, least) ? [says] : [];
}

function isLong(text: string, { characters, words }: Least): boolean {
  return text.length >= characters && text.trim().split(/\s+/).length >= words && !text.includes('${');
}

interface Expectation {
  readonly part: TrialPart;
  readonly check?: string;
  readonly pattern: unknown;
}

function expectations({ steps, record }: Trial): readonly Expectation[] {
  return [
    ...steps.map(({ name, expect }) => ({ part: { step: name }, pattern: expect })),
    ...record.checks
      .filter(({ mode }) => mode !== 'never')
      .map(({ id, expect }) => ({ part: { check: id }, check: id, pattern: expect })),
  ];
}

/** Texts that must be there as they stand: not under an operator, but for `$eq` and those that hold patterns. */
function literals(pattern: unknown): readonly string[] {
  if (typeof pattern === 'string') return [pattern];
  if (!isContainer(pattern)) return [];
  if (Array.isArray(pattern)) return pattern.flatMap(literals);
  return Object.entries(pattern).flatMap(([key, inner]) =>
    key.startsWith('$') && !holdsPatterns.includes(key) ? [] : literals(inner),
  );
}

const holdsPatterns = ['$eq', '$any', '$all', '$each', '$some', '$unordered'];

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return isContainer(value) ? Object.values(value).flatMap(textsIn) : [];
}
