/** Checks that demand the exact words of a model: they hold only for the script, and say nothing about the system. */
import { isContainer } from '../../../kernel/exact-json.ts';
import type { Trial } from '../../../trials/trial.ts';
import { type Found, inTrial, type Rule } from '../rule.ts';
import type { Suite } from './suite.ts';

/** From this many characters and words on, a model would phrase a text differently next time. */
const long = { characters: 50, words: 6 };
/** If the model may be real, a sentence is enough. */
const longWhenLive = { characters: 20, words: 3 };

export const modelTextRule: Rule<Suite> = {
  kind: 'exact-model-text',
  level: 'warning',
  why: 'it holds because the script says so; the wording of a real model would fail it',
  next: 'expect structure: `{ $type: string, $length: { $gte: 1 } }`, `{ $regex: <the fact> }`, or the call and the row that must result',
  find: ({ system, trials }) => {
    const standing = system.resources.flatMap((resource) =>
      resource.kind === 'model' ? Object.values(resource.standing).flat() : [],
    );
    return trials.flatMap((trial) => inExpectations(trial, standing, system.folder));
  },
};

const whyWhenLive =
  'a real model phrases its answers differently each time, so this fails although nothing is wrong';

function inExpectations(trial: Trial, standing: readonly unknown[], folder: string): readonly Found[] {
  const live = trial.mayBeLive === true;
  const scripts = Object.values(trial.scripts).flatMap((script) =>
    Array.isArray(script) ? [] : Object.values(script as Record<string, unknown[]>).flat(),
  );
  const said = new Set([...scripts, ...standing].flatMap((line) => saysOf(line, live ? longWhenLive : long)));
  const sent = new Set(trial.steps.flatMap(({ spec }) => textsIn(spec)));
  return expectations(trial).flatMap(({ part, pattern, check }) =>
    literals(pattern).flatMap((text): Found[] => {
      const isSaid = said.has(text);
      if (!isSaid && !(live && isLong(text, long) && !sent.has(text))) return [];
      const shown = JSON.stringify(text.length > 60 ? `${text.slice(0, 60)}…` : text);
      return [
        {
          ...inTrial(trial, folder, part),
          ...(check === undefined ? {} : { check }),
          ...(live && isSaid ? { level: 'finding' } : {}),
          ...(live ? { why: whyWhenLive } : {}),
          text: isSaid
            ? `it expects, word for word, what the script of the model says: ${shown}`
            : `it expects a long text word for word, in a trial whose model may be a real one: ${shown}`,
        },
      ];
    }),
  );
}

function saysOf(line: unknown, least: typeof long): readonly string[] {
  const { says } = (line ?? {}) as { readonly says?: unknown };
  return typeof says === 'string' && isLong(says, least) ? [says] : [];
}

function isLong(text: string, { characters, words }: typeof long): boolean {
  return text.length >= characters && text.trim().split(/\s+/).length >= words && !text.includes('${');
}

function expectations({ steps, record }: Trial) {
  return [
    ...steps.map(({ name, expect }) => ({ part: { step: name }, check: undefined, pattern: expect })),
    ...record.checks
      .filter(({ mode }) => mode !== 'never')
      .map(({ id, expect }) => ({ part: { check: id }, check: id, pattern: expect })),
  ];
}

/** Texts that must match literally: not under an operator, except `$eq` and operators that contain patterns. */
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
