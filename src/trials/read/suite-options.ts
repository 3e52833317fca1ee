/** What a trial says about itself as a part of the suite, from its written form to the one that is used. */
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
