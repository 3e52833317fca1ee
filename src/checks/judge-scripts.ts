/** Scripts of models and third parties: requests that are not in a script, and unused lines, fail the trial. */
import { sentTwice } from '../journal/event.ts';
import type { ModelFaultKind } from '../journal/peer-event.ts';
import type { EventOf } from '../journal/trial-event.ts';
import { clipText } from '../patterns/print-value.ts';
import type { AttemptView } from './attempt-view.ts';
import type { CheckVerdict } from './verdict.ts';

export const modelGateId = 'models';
export const peerGateId = 'peers';

/** What a real provider does is for the checks to judge; these faults concern the script. */
const scriptFaults: readonly ModelFaultKind[] = [
  'unscripted',
  'ambiguous',
  'unexpected-request',
  'drift',
  'unknown-tool',
];

export function isScriptFault(kind: ModelFaultKind | undefined): boolean {
  return kind !== undefined && scriptFaults.includes(kind);
}

export function judgeScripts(view: AttemptView): CheckVerdict[] {
  const { modelCalls, peerCalls } = view;
  const modelFaults = modelCalls
    .filter(({ fault }) => isScriptFault(fault?.kind))
    .map((event) => formatAgain(view, event) ?? formatModelFault(event));
  const peerFaults = peerCalls
    .filter(({ fault }) => fault)
    .map((event) => formatAgain(view, event) ?? formatPeerFault(event));
  return [
    ...judgeParties(view, 'model', modelCalls, modelFaults),
    ...judgeParties(view, 'peer', peerCalls, peerFaults),
  ];
}

/** The call that the budget did not allow, if any: consequences of it say nothing. */
export function spentBudget(view: AttemptView): EventOf<'model.called'> | undefined {
  return view.modelCalls.find(({ fault }) => fault?.kind === 'budget');
}

interface ScriptFault {
  readonly seq: number;
  readonly text: string;
}

const gates = {
  model: { id: modelGateId, noun: 'a model' },
  peer: { id: peerGateId, noun: 'a third party' },
} as const;

function judgeParties(
  view: AttemptView,
  kind: 'model' | 'peer',
  calls: readonly PeerEvent[],
  faults: readonly ScriptFault[],
): CheckVerdict[] {
  const names = new Set([
    ...calls.map(({ resource }) => resource),
    ...(view.topology?.parties ?? []).filter((party) => party.kind === kind).map(({ name }) => name),
  ]);
  const unused = unusedParts(view, (resource) => names.has(resource));
  if (calls.length === 0 && unused.length === 0) return [];
  const { id, noun } = gates[kind];
  const title = `every call of ${noun} is in its script, and the whole script was used`;
  return [gate(view, id, title, [...faults, ...unused])];
}

/** Lines that were not used; and where recording was requested, that nothing was recorded. */
function unusedParts(view: AttemptView, isMeant: (resource: string) => boolean): readonly ScriptFault[] {
  // For an attempt that ended early, missing requests say nothing.
  if (view.ended?.end !== 'done') return [];
  const unused = view.unused.filter(({ resource }) => isMeant(resource));
  return [
    ...unused.map(({ seq, resource, caller, line, what }) => ({
      seq,
      text: `line ${line} of ${resource}'s script for ${caller} was not used: ${what}`,
    })),
    ...view.recorded.flatMap(({ seq, resource, file, because }) =>
      because === undefined || !isMeant(resource)
        ? []
        : [{ seq, text: `${file} was not recorded: ${because}` }],
    ),
  ];
}

type PeerEvent = EventOf<'model.called'> | EventOf<'peer.called'>;

/** The disturbance that sent this request in place of its caller; it is felt right after. */
export function sentAgainBy(
  { felt, modelCalls, peerCalls }: AttemptView,
  { seq, caller, resource }: PeerEvent,
): string | undefined {
  const isSame = (other: PeerEvent): boolean => other.caller === caller && other.resource === resource;
  const next = [...modelCalls, ...peerCalls].find((other) => other.seq > seq && isSame(other));
  return felt.find(
    (one) =>
      one.what === sentTwice &&
      one.from === caller &&
      one.to === resource &&
      one.seq > seq &&
      (next === undefined || one.seq < next.seq),
  )?.disturbance;
}

function formatAgain(view: AttemptView, event: PeerEvent): ScriptFault | undefined {
  const by = sentAgainBy(view, event);
  if (by === undefined) return undefined;
  const { seq, caller, resource, fault } = event;
  const text = `${by} sent the request of ${caller} to ${resource} again: ${fault?.what}; the script needs a line for it, too`;
  return { seq, text };
}

function formatModelFault({ seq, caller, resource, call, fault }: EventOf<'model.called'>): ScriptFault {
  return { seq, text: `${caller} asked ${resource} ${times(call)}: ${fault?.what}` };
}

function formatPeerFault(event: EventOf<'peer.called'>): ScriptFault {
  const { seq, caller, resource, method, path, callback, fault } = event;
  const who = callback
    ? `${resource} called ${caller} back, ${method} ${path}`
    : `${caller} asked ${resource}, ${method} ${path}`;
  return { seq, text: `${who}: ${fault?.what}` };
}

function times(count: number): string {
  if (count === 1) return 'for the first time';
  const ends: Readonly<Record<string, string>> = { one: 'st', two: 'nd', few: 'rd' };
  const end = ends[new Intl.PluralRules('en', { type: 'ordinal' }).select(count)] ?? 'th';
  return `a ${count}${end} time`;
}

const mostShown = 10;
/** What would have been known comes last. */
const mostChars = 500;

/** A worker that begins later than quiet and the time for its next line. */
const nextOfUnused =
  'if it is used later: wait for it with an `until` step or a check with `within`, or set a longer `settle`';

function gate(
  { record, unused }: AttemptView,
  id: string,
  title: string,
  faults: readonly ScriptFault[],
): CheckVerdict {
  const rest = faults.length > mostShown ? [`… and ${faults.length - mostShown} more`] : [];
  const hasUnused = unused.some(({ seq }) => faults.some((fault) => fault.seq === seq));
  const explanation = [
    ...(faults.length > 1 ? [...faults.slice(0, mostShown).map(({ text }) => clipText(text)), ...rest] : []),
    ...(hasUnused ? [nextOfUnused] : []),
  ];
  return {
    id,
    title,
    line: record.line,
    verdict: faults.length > 0 ? 'failed' : 'passed',
    expected: 'what the script says, and nothing else',
    observed: faults[0] ? clipText(faults[0].text, mostChars) : 'just that',
    ...(explanation.length === 0 ? {} : { explanation: explanation.join('\n') }),
    evidence: faults.map(({ seq }) => seq),
  };
}
