/** Whether what a party received, though it is the same, came in another order than in the passing run, or too late. */
import { isSameRequest } from './align-calls.ts';
import type { Divergence } from './divergence.ts';
import type { CompareContext } from './find-divergences.ts';
import type { ReferenceCall } from './reference-digest.ts';

/** Undefined if nothing did that may have led to the roots. */
export function cameOtherwise(
  party: string,
  roots: readonly Divergence[],
  { aligned, reference, now }: CompareContext,
): string | undefined {
  const arrivals = aligned.pairs
    .filter(({ isGuess }) => !isGuess)
    .map(({ was, is }) =>
      arrivalOf(now.digest.calls[is] as ReferenceCall, reference.calls[was] as ReferenceCall, party),
    )
    .filter((one) => one !== undefined);
  const odd = roots.flatMap((root) => [
    ...arrivals.filter((one) => isOutOfStep(one, root)),
    ...arrivals.filter(
      (one) =>
        one.at <= (root.sentAt ?? Number.POSITIVE_INFINITY) && arrivals.some((other) => overtook(one, other)),
    ),
  ]);
  const [first] = odd;
  return (
    first &&
    `what came to it by ${first.call.name} came in another order, or at another moment, than in the passing run`
  );
}

interface Arrival {
  readonly call: ReferenceCall;
  readonly at: number;
  readonly then: number;
}

/** A request to it when it begins, what it looked for or was handed when it is there; what it did has no such moment. */
function arrivalOf(call: ReferenceCall, was: ReferenceCall, party: string): Arrival | undefined {
  if (call.to === party) return { call, at: call.began, then: was.began };
  const isGot = call.from === party && (call.delivered || call.optional);
  return isGot ? { call, at: call.ended, then: was.ended } : undefined;
}

/** One of two of a kind came first that had come second; what a party asks for is different by its own choice. */
function overtook(one: Arrival, other: Arrival): boolean {
  const { call } = one;
  const isOfKind =
    call.from === other.call.from &&
    call.to === other.call.to &&
    call.name === other.call.name &&
    (!call.optional || isSameRequest(call, other.call));
  return isOfKind && one.at < other.at && one.then > other.then;
}

/** A store handed it over before the party acted, and not so then; or the other way round. */
function isOutOfStep({ call, at, then }: Arrival, { sentAt, sentThen }: Divergence): boolean {
  if (!call.delivered || sentAt === undefined || sentThen === undefined) return false;
  return at <= sentAt !== then <= sentThen;
}
