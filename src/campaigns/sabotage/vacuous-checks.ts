/** The checks of a sabotaged run that cannot fail, once for all cases of a trial. */
import { type Sabotaged, withoutCase } from './sabotage-run.ts';

export interface VacuousCheck {
  readonly trial: string;
  readonly check: string;
  readonly file: string;
  readonly line: number;
  readonly kind: string;
  readonly why: string;
}

export function vacuousChecks({ trials }: Sabotaged): readonly VacuousCheck[] {
  const found = new Map<string, VacuousCheck | 'vital'>();
  for (const { id, file, checks } of trials)
    for (const { id: check, line, vital, kind, why } of checks) {
      const trial = withoutCase(id);
      const name = JSON.stringify([file, trial, check]);
      if (vital === null || found.get(name) === 'vital') continue;
      found.set(name, vital ? 'vital' : { trial, check, file, line, kind: kind ?? '', why: why ?? '' });
    }
  return [...found.values()].filter((one) => one !== 'vital');
}
