/** The real third party in place of a script: recorded in each attempt, and only passed on to before the first one. */

import type { HttpPeerSpec } from '../../../system/system.ts';
import { openRecording } from '../../cassette/keep-recording.ts';
import type { ResourceContext } from '../../resource.ts';
import { openAgents } from '../../upstream/pass-on.ts';
import type { RecordedExchange } from '../cassette/exchange-parts.ts';
import { exchangeTape } from '../cassette/exchange-tape.ts';
import type { FallbackResponder, FallbackResponders } from '../fallback-responder.ts';
import { peerLimits } from '../peer-limits.ts';
import { askUpstream, openPeerUpstream, type UpstreamPart } from './ask-upstream.ts';

/** Throws a problem where the config does not say enough. */
export function createUpstreamResponders(spec: HttpPeerSpec, context: ResourceContext): FallbackResponders {
  const upstream = openPeerUpstream(spec, context.hostEnv);
  const agents = openAgents();
  return {
    between: () => ({
      answer: (asked) => askUpstream(asked, { upstream, agents }),
      settle: async () => undefined,
    }),
    play: async ({ trial }) => {
      const keep = await openRecording({ spec, trial, context });
      return recordExchanges({ upstream, agents }, context, keep);
    },
    close: () => agents.close(),
  };
}

/** Passes on what no line is for, and keeps it as the recording of the attempt. */
function recordExchanges(
  part: UpstreamPart,
  { clock, secrets }: ResourceContext,
  keep: Awaited<ReturnType<typeof openRecording>>,
): FallbackResponder {
  const tape = exchangeTape(clock, secrets);
  const underWay = new Set<Promise<unknown>>();
  let isOpen = true;
  let fault: string | undefined;
  return {
    answer: async (asked) => {
      if (!isOpen) return askUpstream(asked, part);
      const answered = askUpstream(asked, { ...part, taped: tape.begin(asked.caller, asked.wire) });
      underWay.add(answered);
      const outcome = await answered.finally(() => underWay.delete(answered));
      fault ??= outcome.fault?.what;
      return outcome;
    },
    settle: async ({ isWhole }) => {
      isOpen = false;
      await Promise.all(underWay);
      const calls = tape.recorded();
      const obstacle = fault ?? (tape.tooLarge() > 0 ? tooLarge : brokenAnswer(calls));
      await keep({ kind: 'http', upstream: part.upstream.url.origin, calls, secrets, obstacle, isWhole });
    },
  };
}

const tooLarge = `the answers go beyond ${peerLimits.tapeBytes / 1024 / 1024} MB together, or there are more than ${peerLimits.tapeCalls}`;

/** A third party that failed leaves nothing worth playing. */
function brokenAnswer(calls: readonly RecordedExchange[]): string | undefined {
  const broken = calls.find(({ response }) => response.status >= 500);
  if (!broken) return undefined;
  const { request, response } = broken;
  return `${request.method} ${request.path} was answered with ${response.status}`;
}
