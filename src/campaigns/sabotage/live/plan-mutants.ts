/** Which mutants are applied to which trials, and which are not, with the reason. Pure. */

import type { MutantOf } from '../../../journal/mutant-kinds.ts';
import type { System } from '../../../system/system.ts';
import { type KnownAnswers, rememberAnswers } from './known-answers.ts';
import { type LiveMutant, listMutants } from './place-mutant.ts';
import type { StoredTrial } from './stored-evidence.ts';
import { touchedParties } from './touched-parties.ts';
import { whyExempt } from './why-exempt.ts';

/** One trial to be performed under one mutant. */
export interface MutatedTrial {
  readonly mutant: LiveMutant;
  readonly stored: StoredTrial;
}

export interface MutantPlan {
  /** Entries of one mutant are consecutive. */
  readonly attempts: readonly MutatedTrial[];
  readonly notPossible: readonly (MutantOf & { readonly because: string })[];
  readonly exempt: readonly { readonly service: string; readonly trial: string; readonly because: string }[];
}

export function planMutants(system: System, trials: readonly StoredTrial[]): MutantPlan {
  const known = answersOf(trials);
  const touched = new Map(trials.map((stored) => [stored, touchedParties(stored.view)]));
  const mutantsOf = new Map(
    trials.map((stored) => [stored, listMutants(system, known, stored.trial.record.id)] as const),
  );
  const exempt: MutantPlan['exempt'][number][] = [];
  const attempts: MutatedTrial[] = [];
  const notPossible: MutantPlan['notPossible'][number][] = [];
  for (const [index, { service, mutant, notPossible: never }] of listMutants(system).entries()) {
    const fitting = trials.filter((stored) => touched.get(stored)?.has(service));
    const tried = fitting.flatMap((stored) => {
      const own = mutantsOf.get(stored)?.[index];
      return own && own.notPossible === undefined ? [{ mutant: own, stored }] : [];
    });
    if (tried.length === 0) {
      const [first] = fitting;
      const because = first
        ? (mutantsOf.get(first)?.[index]?.notPossible ?? never)
        : mutant === 'other-tenant' || mutant === 'wrong'
          ? undefined
          : never;
      notPossible.push({ service, mutant, because: because ?? 'no trial of the run touches it' });
    }
    for (const one of tried) {
      const because = whyExempt(one.stored.trial, service);
      if (because === undefined) attempts.push(one);
      else if (!exempt.some((known) => known.service === service && known.trial === idOf(one)))
        exempt.push({ service, trial: idOf(one), because });
    }
  }
  return { attempts, notPossible, exempt };
}

/** Answers on a disturbed edge are not answers of the provider. */
function answersOf(trials: readonly StoredTrial[]): KnownAnswers {
  return rememberAnswers(
    trials.map(({ trial: { record, disturbs }, view }) => {
      const disturbed = new Set(disturbs.map(({ from, to }) => `${from} -> ${to}`));
      const seen = view.calls.filter(({ edge }) => !disturbed.has(edge));
      return { name: record.id, calls: seen.map(({ call }) => call) };
    }),
  );
}

function idOf({ stored }: MutatedTrial): string {
  return stored.trial.record.id;
}
