/** Whether a request or an answer broke a rule, and whether an answer was a problem for its receiver. */
import { isStoreCall } from '../../journal/call-event.ts';
import type { SeenCall } from '../seen-call.ts';
import { hasStoreFailed } from './store-calls.ts';
import type { Traffic } from './traffic.ts';

export interface Breach {
  readonly rule: string;
  readonly what: string;
}

/** Rules that the provider broke. A turn that was cut off says nothing about its sender. */
export function answerBreaches({ call }: SeenCall): readonly Breach[] {
  const byProvider = (call.faults ?? []).filter(({ by }) => by === 'provider');
  const isWhole = call.incomplete === undefined;
  return [...byProvider, ...(isWhole ? (call.turn?.faults ?? []) : [])];
}

export function requestBreaches({ call }: SeenCall): readonly Breach[] {
  return (call.faults ?? []).filter(({ by }) => by === 'consumer');
}

/** What a party received until a moment broke no rule, and was not disturbed. */
export function gotLegalInput(party: string, until: number, traffic: Traffic): boolean {
  return (
    traffic
      .askedOf(party)
      .every(
        (call) => call.call.startedAt > until || (requestBreaches(call).length === 0 && isSound(call)),
      ) && traffic.askedBy(party).every((call) => call.call.startedAt > until || isLegalAnswer(call, traffic))
  );
}

function isSound({ call }: SeenCall): boolean {
  return call.incomplete !== 'not-http' && !call.request.unfinished;
}

function isLegalAnswer(call: SeenCall, traffic: Traffic): boolean {
  const { incomplete } = call.call;
  const isThere = incomplete === undefined || incomplete === 'too-large' || incomplete === 'in-flight';
  return isThere && answerBreaches(call).length === 0 && !traffic.disturbanceOf(call);
}

/** Every answer that a party received until a moment was good. */
export function gotGoodAnswers(party: string, until: number, traffic: Traffic): boolean {
  return traffic.askedBy(party).every((call) => call.call.startedAt > until || isGoodAnswer(call, traffic));
}

/** Legal, complete, and not a failure. */
export function isGoodAnswer(call: SeenCall, traffic: Traffic): boolean {
  return isLegalAnswer(call, traffic) && !isFailure(call);
}

/** The provider itself reports a failure, or refuses. */
export function isFailure({ call }: SeenCall): boolean {
  const { response, turn, error, result } = call;
  if (isStoreCall(call)) return hasStoreFailed(call);
  return (
    response === undefined ||
    response.status >= 400 ||
    turn?.error !== undefined ||
    turn?.complete === false ||
    (error !== undefined && error !== null) ||
    (typeof result === 'object' && result !== null && Reflect.get(result, 'isError') === true)
  );
}

/** The provider itself reports an error of its own. */
export function isOwnFailure({ call }: SeenCall): boolean {
  const status = call.response?.status ?? 0;
  const code = typeof call.error === 'object' && call.error !== null ? Reflect.get(call.error, 'code') : 0;
  return status === 500 || status === 502 || status === 504 || code === -32_603;
}
