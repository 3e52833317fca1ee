/** A scripted third party as a resource: one listener for each consumer, so that the caller is known. */
import type { HttpPeerSpec } from '../../../system/system.ts';
import type { ResourceContext, ResourceDriver } from '../../resource.ts';
import { openConsumerPorts } from '../../wire/consumer-ports.ts';
import type { FallbackResponders } from '../fallback-responder.ts';
import { HttpPeer } from '../http-peer.ts';

export const httpPeerDriver: ResourceDriver<HttpPeerSpec> = {
  kind: 'http',
  provision: async (spec, context) => {
    const { clock, emit, consumers } = context;
    const fallbackResponders = await createFallbackResponders(spec, context);
    const peer = new HttpPeer({
      spec,
      clock,
      emit,
      fallbackResponders,
      resolve: (text) => context.resolve(text),
    });
    const ports = await openConsumerPorts({
      clock,
      consumers,
      onRequest: (caller, request, reply) => peer.answer(caller, request, reply),
    });
    return {
      endpoint: ports.outside,
      endpointFor: ports.endpointFor,
      summary: summaryOf(spec),
      // It lives in our own process, and goes with it.
      died: new Promise<string>(() => {}),
      references: (_, { host, port }) => ({ url: `http://${host}:${port}`, host, port: String(port) }),
      peer,
      stop: async () => {
        await peer.stop();
        await ports.close();
      },
    };
  },
  sweep: async () => {},
};

function summaryOf({ mode, because }: HttpPeerSpec): string {
  if (mode === 'record') return 'a third party, passed on to the real one and recorded';
  return `a third party, played${mode === 'cassette' ? ' from a recording' : ''}: ${because}`;
}

/** By the mode of the third party. Rejects with a problem where the config does not say enough. */
async function createFallbackResponders(
  spec: HttpPeerSpec,
  context: ResourceContext,
): Promise<FallbackResponders> {
  // Node's client takes as long to load as many a service to start; a scripted peer does without it.
  if (spec.mode === 'record')
    return (await import('../upstream/upstream-responders.ts')).createUpstreamResponders(spec, context);
  if (spec.mode === 'cassette')
    return (await import('../cassette/play-exchanges.ts')).createCassetteResponders(spec, context);
  return { between: () => undefined, play: async () => undefined, close: () => undefined };
}
