/** Rule 2, illegal output after legal input: the deepest party that broke a rule while everything it got kept to them. */
import { outside } from '../../journal/topology.ts';
import { nameOf, type SeenCall } from '../seen-call.ts';
import type { Blame } from './blame.ts';
import { answerBreaches, type Breach, gotLegalInput, requestBreaches } from './legality.ts';
import type { Traffic } from './traffic.ts';

/** One that broke a rule: where it shows, and until when its input counts. */
export interface IllegalOutput {
  readonly party: string;
  readonly breach: Breach;
  readonly call: SeenCall;
  readonly until: number;
}

/** `usual` are breaches that were there when the trial passed: `gateway chat.no-finish`. */
export function blameIllegal(traffic: Traffic, usual: ReadonlySet<string>): Blame | undefined {
  const found = illegalOutputs(traffic).filter(
    ({ party, breach, call }) =>
      !usual.has(usualName(party, breach.rule)) &&
      !traffic.isPlayed(party) &&
      !traffic.disturbanceOf(call) &&
      party !== outside,
  );
  return toBlame(found, traffic);
}

export function toBlame(found: readonly IllegalOutput[], traffic: Traffic): Blame | undefined {
  const proven = found.filter(({ party, until }) => gotLegalInput(party, until, traffic));
  const [first] = proven;
  // Two that broke rules independently: nobody knows whose breach it was that mattered.
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

/** A request that a real provider would have refused; one that was only passed on is not its sender's. */
function refusedByModels(traffic: Traffic): readonly IllegalOutput[] {
  return traffic.view.modelCalls.flatMap((event) => {
    const { fault, caller, resource, startedAt, endedAt } = event;
    if (fault?.kind !== 'bad-history' && fault?.kind !== 'bad-request') return [];
    const call = traffic
      .askedBy(caller)
      .find((one) => one.call.to === resource && isSameTime(one, startedAt, endedAt));
    if (!call || traffic.around(call).some(looksPassedOn)) return [];
    return [
      { party: caller, breach: { rule: `model.${fault.kind}`, what: fault.what }, call, until: startedAt },
    ];
  });
}

function isSameTime({ call }: SeenCall, startedAt: number, endedAt: number): boolean {
  return call.startedAt <= endedAt && call.endedAt >= startedAt;
}

/** It was asked in the words of a model itself. */
function looksPassedOn({ call }: SeenCall): boolean {
  const { json } = call.request;
  return (
    typeof json === 'object' &&
    json !== null &&
    ['messages', 'input', 'contents'].some((key) => Array.isArray(Reflect.get(json, key)))
  );
}
