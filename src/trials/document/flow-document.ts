/** The options of a flow: the keys of a trial file other than steps and checks. */
import type { z } from 'zod';
import { closed } from '../../kinds/kind/values.ts';
import { trialDocument, trialId, trialOptions } from './trial-document.ts';

export const flowDocument = closed(
  {
    id: trialId.describe('Unique in the suite.'),
    ...trialOptions,
    model: trialDocument.shape.model,
    peers: trialDocument.shape.peers,
    disturb: trialDocument.shape.disturb,
  },
  'the options of a flow',
);

export type FlowDocument = z.input<typeof flowDocument>;
