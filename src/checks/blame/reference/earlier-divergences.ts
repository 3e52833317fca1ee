/** What passed before the attempt began, and differs from the passing runs: it keeps its receiver from proof, and proves nobody. */
import { defined } from '../../../kernel/defined.ts';
import { partyIn } from '../../../kernel/edge-name.ts';
import type { Traffic } from '../traffic.ts';
import { alignCalls, isSameRequest } from './align-calls.ts';
import { type Comparison, compareValues, formatDifference } from './compare-values.ts';
import type { Divergence } from './divergence.ts';
import { edgeIn, enoughRuns, type ReferenceCall, type ReferenceDigest } from './reference-digest.ts';

/** What came to a store shows where it is read. */
export function earlierDivergences(
  reference: ReferenceDigest,
  now: ReferenceDigest,
  { isStore }: Pick<Traffic, 'isStore'>,
): readonly Divergence[] {
  return differences(reference, now).filter(({ to }) => !to.every(isStore));
}

function differences(reference: ReferenceDigest, now: ReferenceDigest): readonly Divergence[] {
  const { before: was } = reference;
  const { before: is } = now;
  if (!was && !is) return [];
  if (!was || !is) return (was ?? is)?.calls.map((call) => unknownEdge(edgeIn(call))) ?? [];
  const cut = new Set([...was.cut, ...is.cut]);
  const isKept = (call: ReferenceCall): boolean => !cut.has(edgeIn(call));
  return [
    ...[...cut].map(unknownEdge),
    ...compared(
      { early: was.calls.filter(isKept), later: reference.calls },
      { early: is.calls.filter(isKept), later: now.calls },
      reference.runs >= enoughRuns,
    ),
  ];
}

function unknownEdge(edge: string): Divergence {
  const text = `it is unknown whether the same passed on ${edge} as in the passing run, before the trial began`;
  return { ...ever, party: null, to: edge.split(' -> ').map(partyIn), edge, text, unkept: true };
}

const ever = {
  ...{ sure: false, seqs: [] },
  ...{ sentAt: Number.NEGATIVE_INFINITY, mattersAt: Number.NEGATIVE_INFINITY },
  ...{ sentThen: Number.NEGATIVE_INFINITY, matteredThen: Number.NEGATIVE_INFINITY },
} as const;

/** Before the trial and during it: what belongs to the start may come late. */
interface Said {
  readonly early: readonly ReferenceCall[];
  readonly later: readonly ReferenceCall[];
}

/** How often the same was said is not compared: it depends on how long the start took. */
function compared(then: Said, now: Said, isLearned: boolean): readonly Divergence[] {
  const [was, is] = [then.early, now.early];
  const aligned = alignCalls(was, is, isLearned);
  const areAlike = (before: ReferenceCall, here: ReferenceCall): boolean =>
    edgeIn(before) === edgeIn(here) &&
    before.name === here.name &&
    compareValues(before.request, here.request, isLearned).likeness === 'same' &&
    compareValues(before.answer, here.answer, isLearned).likeness === 'same';
  const wasThen = (here: ReferenceCall): boolean =>
    [...was, ...then.later].some((one) => areAlike(one, here));
  const isStill = (before: ReferenceCall): boolean =>
    [...is, ...now.later].some((one) => areAlike(before, one));
  return [
    ...aligned.pairs.flatMap((pair) => {
      const [before, here] = [was[pair.was] as ReferenceCall, is[pair.is] as ReferenceCall];
      if (wasThen(here) && isStill(before)) return [];
      return [...said('request', pair.request, before, here), ...said('answer', pair.answer, before, here)];
    }),
    ...aligned.extra.flatMap((place) => {
      const call = is[place] as ReferenceCall;
      if (wasThen(call)) return [];
      const isAsked = was.some((one) => isSameRequest(one, call));
      // A look that was never made before was its maker's own idea.
      if (call.optional && !isAsked) return [];
      return [
        from(call, isAsked || call.delivered === true, `${call.name} was not there when the trial passed`),
      ];
    }),
    ...aligned.missing.flatMap((place) => {
      const call = was[place] as ReferenceCall;
      if (call.optional || call.loose || isStill(call)) return [];
      return [
        from(call, call.delivered === true, `${call.name} is missing, which was there when the trial passed`),
      ];
    }),
  ];
}

function said(
  part: 'request' | 'answer',
  comparison: Comparison,
  then: ReferenceCall,
  call: ReferenceCall,
): readonly Divergence[] {
  if (comparison.likeness === 'same') return [];
  const how =
    comparison.likeness === 'differs'
      ? `has ${formatDifference(comparison, 'had')}`
      : 'cannot be compared with the passing run';
  const one = from(call, part === 'answer', `the ${part} of ${call.name} ${how}`);
  return [
    {
      ...one,
      sentThen: part === 'answer' ? then.ended : then.began,
      matteredThen: then.began,
      ...defined({ unkept: comparison.unkept }),
    },
  ];
}

function from(call: ReferenceCall, isAnswer: boolean, text: string): Divergence {
  return {
    ...ever,
    party: isAnswer ? call.to : call.from,
    to: [isAnswer ? call.from : call.to],
    sentAt: isAnswer ? call.ended : call.began,
    mattersAt: call.began,
    edge: edgeIn(call),
    text: `before the trial began, on ${edgeIn(call)}, ${text}`,
    ...defined({ about: call.about }),
  };
}
