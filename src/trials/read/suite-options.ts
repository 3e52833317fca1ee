/** Converts the suite keys of a trial from their written form to the one in use. */
import type { Attack, TrialRecord } from '../../checks/trial-record.ts';
import type { TrialDocument } from '../document/trial-document.ts';
import type { Trial } from '../trial.ts';

type Written = Pick<TrialDocument, 'attacks' | 'lint' | 'live'>;

export function attacksOf({ attacks }: Written): Pick<TrialRecord, 'attacks'> {
  if (attacks === undefined) return {};
  return { attacks: (Array.isArray(attacks) ? attacks : [attacks]) as readonly Attack[] };
}

export function lintOptions({ lint, live }: Written): Pick<Trial, 'lint' | 'mayBeLive'> {
  return { ...(lint === undefined ? {} : { lint }), ...(live === undefined ? {} : { mayBeLive: true }) };
}
