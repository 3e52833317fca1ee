/** The calls that are not over on any edge, no more than one message on the socket can hold. */
import type { CallEvent } from '../../journal/call-event.ts';
import type { Tap } from '../../taps/tap.ts';

export interface CallsInFlight {
  readonly inFlight: readonly CallEvent[];
  readonly inFlightOmitted: number;
}

const mostCalls = 1_000;
/** As JSON; well below what the socket takes as one message. */
const mostChars = 4 * 1024 * 1024;

export function callsInFlight(taps: readonly Pick<Tap, 'callsInFlight'>[]): CallsInFlight {
  const inFlight: CallEvent[] = [];
  let omitted = 0;
  let chars = 0;
  for (const call of taps.flatMap((tap) => tap.callsInFlight())) {
    const length = JSON.stringify(call).length;
    if (inFlight.length === mostCalls || chars + length > mostChars) omitted += 1;
    else {
      inFlight.push(call);
      chars += length;
    }
  }
  return { inFlight, inFlightOmitted: omitted };
}
