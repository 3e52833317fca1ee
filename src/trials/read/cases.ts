/** The cases of a trial: written out, or one for every service of a roster. */
import { unknownName } from '../../kernel/nearest.ts';
import { Problems } from '../../kernel/problem.ts';
import type { System } from '../../system/system.ts';
import type { TrialDocument } from '../document/trial-document.ts';
import { type Placed, problemAt, problemsAt } from './placed.ts';

export interface Case {
  readonly name?: string;
  readonly values?: Readonly<Record<string, unknown>>;
}

export function casesOf({ cases }: TrialDocument, root: Placed<unknown>, system: System): readonly Case[] {
  if (cases === undefined) return [{}];
  if (typeof cases.from === 'string') return rosterCases(cases.from, root, system);
  const entries = Object.entries(cases);
  if (entries.length === 0)
    throw problemAt(root, 'key', ['cases'], {
      code: 'config.bad-value',
      what: 'there is no case in `cases`',
      allowed: 'at least one case',
      next: 'add one, or remove `cases`',
    });
  return entries.map(([name, values]) => ({ name, values: values as Readonly<Record<string, unknown>> }));
}

function rosterCases(roster: string, root: Placed<unknown>, system: System): readonly Case[] {
  const members = Object.hasOwn(system.rosters, roster) ? system.rosters[roster] : undefined;
  if (!members) {
    const known = Object.keys(system.rosters);
    throw new Problems(
      problemsAt(root, 'value', ['cases', 'from'], {
        what: `there is no roster \`${roster}\``,
        ...unknownName(
          roster,
          known,
          'declare it in the config under `rosters`',
          'the config declares no roster',
        ),
      }),
    );
  }
  return members.map((name) => ({
    name,
    values: { name, it: system.services.find((service) => service.name === name)?.it },
  }));
}
