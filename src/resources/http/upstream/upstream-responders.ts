/** The real third party in place of a script: recorded in each attempt, and only passed on to before the first one. */
import type { HttpPeerSpec } from '../../../system/system.ts';
import { cassetteVersion } from '../../cassette/cassette.ts';
import { cassetteFile, refuseToReplace } from '../../cassette/cassette-file.ts';
import { keepRecording } from '../../cassette/keep-recording.ts';
import type { ResourceContext } from '../../resource.ts';
import { openAgents, type UpstreamAgents } from '../../upstream/upstream-agents.ts';
import { exchangeTape } from '../cassette/exchange-tape.ts';
import type { PeerCassette, RecordedExchange } from '../cassette/recorded-exchange.ts';
import type { FallbackResponder, FallbackResponders, ResponderContext } from '../fallback-responder.ts';
import { peerLimits } from '../peer-limits.ts';
import { askUpstream } from './ask-upstream.ts';
import { openPeerUpstream, type PeerUpstream } from './open-peer-upstream.ts';

/** Throws a problem where the config does not say enough. */
export function createUpstreamResponders(spec: HttpPeerSpec, context: ResponderContext): FallbackResponders {
  const upstream = openPeerUpstream(spec, context.hostEnv);
  const agents = openAgents();
  return {
    between: () => ({
      answer: (asked) => askUpstream(asked, { upstream, agents }),
      settle: async () => undefined,
    }),
    play: async ({ trial }) => {
      const file = cassetteFile(spec.cassettes, trial);
      await refuseToReplace(file, { resource: spec.name, trial });
      return recordExchanges({ spec, context, upstream, agents, file, trial });
    },
    close: () => agents.close(),
  };
}

interface RecordingOptions {
  readonly spec: HttpPeerSpec;
  readonly context: Pick<ResourceContext, 'clock' | 'emit' | 'secrets' | 'systemFolder' | 'tool'>;
  readonly upstream: PeerUpstream;
  readonly agents: UpstreamAgents;
  readonly file: string;
  readonly trial: string;
}

/** Passes on what no line is for, and keeps it as the recording of the attempt. */
function recordExchanges(options: RecordingOptions): FallbackResponder {
  const { spec, context, upstream, agents, file, trial } = options;
  const { clock, emit, secrets, systemFolder, tool } = context;
  const tape = exchangeTape(clock, secrets);
  const underWay = new Set<Promise<unknown>>();
  let isOpen = true;
  let fault: string | undefined;
  return {
    answer: async (asked) => {
      if (!isOpen) return askUpstream(asked, { upstream, agents });
      const answered = askUpstream(asked, { upstream, agents, taped: tape.begin(asked.caller, asked.wire) });
      underWay.add(answered);
      const outcome = await answered.finally(() => underWay.delete(answered));
      fault ??= outcome.fault?.what;
      return outcome;
    },
    settle: async ({ isWhole }) => {
      isOpen = false;
      await Promise.all(underWay);
      const calls = tape.recorded();
      const cassette: PeerCassette = {
        cassette: cassetteVersion,
        kind: 'http',
        resource: spec.name,
        trial,
        recordedAt: new Date(clock.now()).toISOString(),
        ...(tool === undefined ? {} : { tool }),
        upstream: upstream.url.origin,
        calls,
      };
      const obstacle = fault ?? (tape.isTooLarge ? tooLarge : brokenAnswer(calls));
      const needsCalls = true;
      await keepRecording({ file, cassette, secrets, obstacle, isWhole, needsCalls, systemFolder, emit });
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
