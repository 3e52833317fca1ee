/** Rule 2, illegal output after legal input: the deepest party that broke a rule while all of its input was legal. */
import { unfinishedRules } from '../../journal/call-event.ts';
import { isModelCall } from '../../journal/is-model-call.ts';
import { outside } from '../../journal/topology.ts';
import { nameOf, type SeenCall } from '../seen-call.ts';
import type { Blame } from './blame.ts';
import { answerBreaches, type Breach, gotLegalInput, isFailure, requestBreaches } from './legality.ts';
import type { Traffic } from './traffic.ts';

/** A party that broke a rule: where it shows, and until when its input counts. */
export interface IllegalOutput {
  readonly party: string;
  readonly breach: Breach;
  readonly call: SeenCall;
  readonly until: number;
}

/** `usual` are breaches that also occurred when the trial passed: `gateway chat.no-finish`. */
export function blameIllegal(traffic: Traffic, usual: ReadonlySet<string>): Blame | undefined {
  const found = illegalOutputs(traffic).filter(
    ({ party, breach, call }) =>
      !usual.has(usualName(party, breach.rule)) &&
      !traffic.isPlayed(party) &&
      !traffic.disturbanceOf(call) &&
      !(isUnfinished(breach) && traffic.wasStopped(party)) &&
      !isOverlooked(party, breach, call) &&
      party !== outside,
  );
  return toBlame(found, traffic);
}

/** An answer that ends in the middle, as it does when its sender is stopped. */
function isUnfinished({ rule }: Breach): boolean {
  return Object.values<string>(unfinishedRules).includes(rule);
}

/** A field of the head that its receiver did not miss: it answered well, and did no more than it was told in the body. */
function isOverlooked(party: string, { rule }: Breach, call: SeenCall): boolean {
  return party === call.call.from && ofHead.test(rule) && !isFailure(call);
}

const ofHead = /-header$/;

export function toBlame(found: readonly IllegalOutput[], traffic: Traffic): Blame | undefined {
  const proven = found.filter(({ party, until }) => gotLegalInput(party, until, traffic));
  const [first] = proven;
  // Two parties broke rules independently: it is not known which breach mattered.
  if (!first || proven.some(({ party }) => party !== first.party)) return undefined;
  const { party, breach, call } = first;
  return {
    party,
    edge: call.edge,
    rule: 2,
    because: `illegal output after legal input: ${breach.rule}: ${breach.what} (${nameOf(call)})`,
    evidence: proven.map((one) => one.call.seq),
  };
}

export function illegalOutputs(traffic: Traffic): readonly IllegalOutput[] {
  const onEdges = traffic.calls.flatMap((call) => {
    const { from, to, startedAt, endedAt } = call.call;
    return [
      ...answerBreaches(call).map((breach) => ({ party: to, breach, call, until: endedAt })),
      ...requestBreaches(call).map((breach) => ({ party: from, breach, call, until: startedAt })),
    ];
  });
  return [...onEdges, ...refusedByModels(traffic)];
}

export function usualName(party: string, rule: string): string {
  return `${party} ${rule}`;
}

/** A request that a real provider would have refused; if it was only passed on, its sender is not to blame. */
function refusedByModels(traffic: Traffic): readonly IllegalOutput[] {
  return traffic.view.modelCalls.flatMap((event) => {
    const { fault, caller, startedAt } = event;
    if (fault?.kind !== 'bad-history' && fault?.kind !== 'bad-request') return [];
    const call = traffic.askedBy(caller).find((one) => isModelCall(event, one.call));
    if (!call || traffic.around(call).some(looksPassedOn)) return [];
    return [
      { party: caller, breach: { rule: `model.${fault.kind}`, what: fault.what }, call, until: startedAt },
    ];
  });
}

/** The request is in a model dialect itself. */
function looksPassedOn({ call }: SeenCall): boolean {
  const { json } = call.request;
  return (
    typeof json === 'object' &&
    json !== null &&
    ['messages', 'input', 'contents'].some((key) => Array.isArray(Reflect.get(json, key)))
  );
}
