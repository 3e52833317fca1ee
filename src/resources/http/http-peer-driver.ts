/** A scripted third party as a resource: one listener for each consumer, so that it knows who calls. */
import type { HttpPeerSpec } from '../../system/system.ts';
import type { ResourceDriver } from '../resource.ts';
import { openConsumerPorts } from '../wire/consumer-ports.ts';
import { HttpPeer } from './http-peer.ts';
import { castUnderstudies } from './understudy.ts';

export const httpPeerDriver: ResourceDriver<HttpPeerSpec> = {
  kind: 'http',
  referenceNames: ['url', 'host', 'port'],
  provision: async (spec, context) => {
    const { clock, emit, consumers } = context;
    const understudies = await castUnderstudies(spec, context);
    const peer = new HttpPeer({
      spec,
      clock,
      emit,
      understudies,
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
