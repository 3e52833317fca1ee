/** Scripts of models and third parties: what was asked and not foreseen fails the trial, and so does what was foreseen and not asked. */
import type { ModelFaultKind } from '../journal/peer-event.ts';
import { clipText } from '../patterns/print-value.ts';
import type { AttemptView, EventOf } from './attempt-view.ts';
import type { CheckVerdict } from './verdict.ts';

export const modelGateId = 'models';
export const peerGateId = 'peers';

/** What a provider does is a matter of the checks; these speak against the script. */
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
  return [...judgeModels(view), ...judgePeers(view)];
}

/** The call that the budget did not allow, if there was one: whatever follows from it says nothing. */
export function spentBudget(view: AttemptView): EventOf<'model.called'> | undefined {
  return view.modelCalls.find(({ fault }) => fault?.kind === 'budget');
}

interface Told {
  readonly seq: number;
  readonly text: string;
}

function judgeModels(view: AttemptView): CheckVerdict[] {
  const models = new Set([
    ...view.modelCalls.map(({ resource }) => resource),
    ...(view.topology?.parties ?? []).filter(({ kind }) => kind === 'model').map(({ name }) => name),
  ]);
  const faults = view.modelCalls.filter(({ fault }) => isScriptFault(fault?.kind)).map(tellModelFault);
  const isModel = (resource: string): boolean => models.has(resource);
  const unused = [...unusedLines(view, isModel), ...failedRecordings(view, isModel)];
  if (view.modelCalls.length === 0 && unused.length === 0) return [];
  return [
    gate(view, modelGateId, 'every call of a model is in its script, and the whole script was told', [
      ...faults,
      ...unused,
    ]),
  ];
}

function judgePeers(view: AttemptView): CheckVerdict[] {
  const peers = new Set([
    ...view.peerCalls.map(({ resource }) => resource),
    ...(view.topology?.parties ?? []).filter(({ kind }) => kind === 'peer').map(({ name }) => name),
  ]);
  const faults = view.peerCalls.flatMap((event) => (event.fault ? [tellPeerFault(event)] : []));
  const isPeer = (resource: string): boolean => peers.has(resource);
  const unused = [...unusedLines(view, isPeer), ...failedRecordings(view, isPeer)];
  if (view.peerCalls.length === 0 && unused.length === 0) return [];
  return [
    gate(view, peerGateId, 'every call of a third party is in its script, and the whole script was used', [
      ...faults,
      ...unused,
    ]),
  ];
}

/** Of an attempt that ended early nobody can say what it would have asked. */
function unusedLines(view: AttemptView, isMeant: (resource: string) => boolean): readonly Told[] {
  if (view.ended?.end !== 'done') return [];
  return view.unused
    .filter(({ resource }) => isMeant(resource))
    .map(({ seq, resource, caller, line, what }) => ({
      seq,
      text: `line ${line} of ${resource}'s script for ${caller} was not used: ${what}`,
    }));
}

/** Whoever wants to record must hear that nothing was. */
function failedRecordings(view: AttemptView, isMeant: (resource: string) => boolean): readonly Told[] {
  if (view.ended?.end !== 'done') return [];
  return view.recorded.flatMap(({ seq, resource, file, because }) =>
    because === undefined || !isMeant(resource)
      ? []
      : [{ seq, text: `${file} was not recorded: ${because}` }],
  );
}

function tellModelFault({ seq, caller, resource, call, fault }: EventOf<'model.called'>): Told {
  return { seq, text: `${caller} asked ${resource} ${times(call)}: ${fault?.what}` };
}

function tellPeerFault(event: EventOf<'peer.called'>): Told {
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

const mostTold = 10;

function gate({ record }: AttemptView, id: string, title: string, told: readonly Told[]): CheckVerdict {
  const rest = told.length > mostTold ? [`… and ${told.length - mostTold} more`] : [];
  return {
    id,
    title,
    line: record.line,
    verdict: told.length > 0 ? 'failed' : 'passed',
    expected: 'what the script says, and nothing else',
    observed: told[0] ? clipText(told[0].text) : 'just that',
    ...(told.length > 1
      ? { explanation: [...told.slice(0, mostTold).map(({ text }) => clipText(text)), ...rest].join('\n') }
      : {}),
    evidence: told.map(({ seq }) => seq),
  };
}
