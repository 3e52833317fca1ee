/** Sends scripts to models and third parties and rules to taps before the first step; removes them after the last. */
import { type EdgeEnds, edgeOf } from '../../kernel/edge-name.ts';
import { problemsIn } from '../../kernel/problem.ts';
import { fillEarly, headOf, mapTexts } from '../../kernel/references.ts';
import { resourceKind } from '../../kinds/resource-kinds.ts';
import { escapeFor } from '../../patterns/escape-data.ts';
import { namesBeside } from '../../patterns/scope.ts';
import type { AttemptEnded, PeerPart } from '../../resources/resource.ts';
import type { ExchangeRule } from '../../taps/exchanges/exchange-rule.ts';
import { formInScripts } from '../text-forms.ts';
import type { Trial } from '../trial.ts';
import type { Attempt } from './attempt.ts';

type Budget = NonNullable<PeerPart['budget']>;

/** Undefined when everything is arranged; otherwise why the trial cannot be performed as written. */
export async function arrange(
  attempt: Attempt,
  budgets: Readonly<Record<string, Budget>>,
): Promise<string | undefined> {
  const { trial, environment, scope } = attempt;
  const late = new Set(['request', ...(trial.awaits ?? []).map(headOf)]);
  const missing: string[] = [];
  const scripts = mapTexts(trial.scripts, (text, keys) =>
    fillEarly(
      text,
      (head) => late.has(head),
      (written, before) => {
        const { value, missing: without } = scope.resolve(written);
        missing.push(...without);
        const form = formInScripts(keys);
        return form === undefined || typeof value !== 'string' ? value : escapeFor(form, value, before);
      },
    ),
  );
  const [unknown] = missing;
  if (unknown !== undefined) return `\${${unknown}} in a script has no value before the first step`;
  try {
    if (hasPeers(attempt))
      await environment.ask('peersBegin', {
        trial: trial.record.id,
        attempt: attempt.number,
        seed: attempt.seed,
        scripts: scripts as Readonly<Record<string, unknown>>,
        budgets,
      });
    for (const { from, to, rules } of byEdge(trial))
      await environment.ask('disturbExchanges', { from, to, rules });
    return undefined;
  } catch (error) {
    const [problem] = problemsIn(error);
    if (!problem || problem.code === 'shakedown.keeper-died') throw error;
    const where = typeof problem.where === 'string' ? problem.where : problem.where.file;
    return `${where}: ${problem.what}; ${problem.next}`;
  }
}

/** Reports unused script lines; edges pass everything on again. */
export async function cleanUp(attempt: Attempt, ended: AttemptEnded): Promise<void> {
  const { trial, environment } = attempt;
  for (const { from, to } of byEdge(trial))
    await environment.ask('disturbExchanges', { from, to, rules: [] });
  if (hasPeers(attempt)) await environment.ask('peersSettle', ended);
}

/** Sends a step's result to the script lines that refer to it. */
export async function sendStepResults({ trial, environment, scope }: Attempt, step: string): Promise<void> {
  const wanted = (trial.awaits ?? []).filter((reference) => headOf(reference) === step);
  if (wanted.length === 0) return;
  const gave = scope.resolve(`\${${step}}`).value;
  const values: Record<string, unknown> = {};
  const beside: Record<string, readonly string[]> = {};
  for (const reference of wanted) {
    const { value } = scope.resolve(`\${${reference}}`);
    if (value === undefined) beside[reference] = namesBeside(reference, { [step]: gave });
    else values[reference] = value;
  }
  await environment.ask('peersLearn', { step, values, beside });
}

function hasPeers({ environment }: Attempt): boolean {
  return environment.system.resources.some((spec) => !resourceKind(spec).isStore);
}

function byEdge({ disturbs }: Trial): readonly (EdgeEnds & { readonly rules: readonly ExchangeRule[] })[] {
  return [...Map.groupBy(disturbs, edgeOf).values()].flatMap((all) => {
    const [first] = all;
    return first ? [{ from: first.from, to: first.to, rules: all.map(({ rule }) => rule) }] : [];
  });
}
