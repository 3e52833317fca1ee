/** Which lies are told to which trials, and which are not, with the reason. Pure. */
import { seenCalls } from '../../../checks/seen-call.ts';
import type { System } from '../../../system/system.ts';
import { type KnownAnswers, rememberAnswers } from './known-answers.ts';
import { type LieKind, type LiveLie, listLies } from './place-lie.ts';
import type { StoredTrial } from './stored-evidence.ts';
import { touchedParties } from './touched-parties.ts';
import { whyExempt } from './why-exempt.ts';

/** One trial to be performed under one lie. */
export interface LiedTrial {
  readonly lie: LiveLie;
  readonly stored: StoredTrial;
}

export interface LiesPlan {
  /** Those of one lie follow each other. */
  readonly attempts: readonly LiedTrial[];
  readonly notPossible: readonly {
    readonly service: string;
    readonly lie: LieKind;
    readonly because: string;
  }[];
  readonly exempt: readonly { readonly service: string; readonly trial: string; readonly because: string }[];
}

export function planLies(system: System, trials: readonly StoredTrial[]): LiesPlan {
  const known = answersOf(trials);
  const touched = new Map(trials.map((stored) => [stored, touchedParties(stored.view)]));
  const liesOf = new Map(
    trials.map((stored) => [stored, listLies(system, known, stored.trial.record.id)] as const),
  );
  const exempt: LiesPlan['exempt'][number][] = [];
  const attempts: LiedTrial[] = [];
  const notPossible: LiesPlan['notPossible'][number][] = [];
  for (const [index, { service, lie, notPossible: never }] of listLies(system).entries()) {
    const fitting = trials.filter((stored) => touched.get(stored)?.has(service));
    const told = fitting.flatMap((stored) => {
      const own = liesOf.get(stored)?.[index];
      return own && own.notPossible === undefined ? [{ lie: own, stored }] : [];
    });
    if (told.length === 0) {
      const [first] = fitting;
      const because = first
        ? (liesOf.get(first)?.[index]?.notPossible ?? never)
        : lie === 'other-tenant'
          ? undefined
          : never;
      notPossible.push({ service, lie, because: because ?? 'no trial of the run touches it' });
    }
    for (const one of told) {
      const because = whyExempt(one.stored.trial, service);
      if (because === undefined) attempts.push(one);
      else if (!exempt.some((known) => known.service === service && known.trial === idOf(one)))
        exempt.push({ service, trial: idOf(one), because });
    }
  }
  return { attempts, notPossible, exempt };
}

/** What a disturbed edge answered is no answer of anybody's. */
function answersOf(trials: readonly StoredTrial[]): KnownAnswers {
  return rememberAnswers(
    trials.map(({ trial: { record, disturbs }, view }) => {
      const disturbed = new Set(disturbs.map(({ from, to }) => `${from} -> ${to}`));
      const seen = seenCalls(view.events.flatMap((event) => (event.type === 'call' ? [event] : [])));
      return {
        name: record.id,
        calls: seen.filter(({ edge }) => !disturbed.has(edge)).map(({ call }) => call),
      };
    }),
  );
}

function idOf({ stored }: LiedTrial): string {
  return stored.trial.record.id;
}
