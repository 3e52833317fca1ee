/** Before the first step: tells models and third parties what to say, and taps what to do. After the last one: takes it back. */
import { problemsIn } from '../../kernel/problem.ts';
import { fillEarly, headOf, mapTexts } from '../../kernel/references.ts';
import type { AttemptEnded, PeerPart } from '../../resources/resource.ts';
import type { Trial } from '../trial.ts';
import type { Attempt } from './attempt.ts';

type Budget = NonNullable<PeerPart['budget']>;

/** Undefined when everything stands; otherwise why the trial cannot be performed as it is written. */
export async function setTheStage(
  attempt: Attempt,
  budgets: Readonly<Record<string, Budget>>,
): Promise<string | undefined> {
  const { trial, stage, knowledge } = attempt;
  const late = new Set(['request', ...(trial.awaits ?? []).map(headOf)]);
  const missing: string[] = [];
  const scripts = mapTexts(trial.scripts, (text) =>
    fillEarly(
      text,
      (head) => late.has(head),
      (written) => {
        const resolved = knowledge.forActing(written);
        missing.push(...resolved.missing);
        return resolved.value;
      },
    ),
  );
  const [unknown] = missing;
  if (unknown !== undefined) return `\${${unknown}} in a script has no value before the first step`;
  try {
    if (hasPeers(attempt))
      await stage.ask('peersBegin', {
        trial: trial.record.id,
        attempt: attempt.number,
        seed: attempt.seed,
        scripts: scripts as Readonly<Record<string, unknown>>,
        budgets,
      });
    for (const { from, to, rules } of byEdge(trial)) await stage.ask('disturbExchanges', { from, to, rules });
    return undefined;
  } catch (error) {
    const [problem] = problemsIn(error);
    if (!problem || problem.code === 'shakedown.keeper-died') throw error;
    const where = typeof problem.where === 'string' ? problem.where : problem.where.file;
    return `${where}: ${problem.what}; ${problem.next}`;
  }
}

/** What was not used of a script is told; edges pass everything on again. */
export async function strikeTheStage(attempt: Attempt, ended: AttemptEnded): Promise<void> {
  const { trial, stage } = attempt;
  for (const { from, to } of byEdge(trial)) await stage.ask('disturbExchanges', { from, to, rules: [] });
  if (hasPeers(attempt)) await stage.ask('peersSettle', ended);
}

/** What a step gave, for the lines that refer to it. */
export async function tellPeers({ trial, stage, knowledge }: Attempt, step: string): Promise<void> {
  const wanted = (trial.awaits ?? []).filter((reference) => headOf(reference) === step);
  if (wanted.length === 0) return;
  const values = wanted.flatMap((reference) => {
    const { value } = knowledge.forActing(`\${${reference}}`);
    return value === undefined ? [] : [[reference, value] as const];
  });
  await stage.ask('peersLearn', { step, values: Object.fromEntries(values) });
}

function hasPeers({ stage }: Attempt): boolean {
  return stage.system.resources.some(({ kind }) => kind !== 'postgres');
}

type EdgeRules = Pick<Trial['disturbs'][number], 'from' | 'to'> & {
  readonly rules: readonly Trial['disturbs'][number]['rule'][];
};

function byEdge({ disturbs }: Trial): readonly EdgeRules[] {
  const edges = Map.groupBy(disturbs, ({ from, to }) => `${from} -> ${to}`);
  return [...edges.values()].flatMap((all) => {
    const [first] = all;
    return first ? [{ from: first.from, to: first.to, rules: all.map(({ rule }) => rule) }] : [];
  });
}
