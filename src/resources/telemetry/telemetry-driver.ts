/** A receiver of telemetry as a resource: what services export over OTLP/HTTP becomes evidence. */
import type { TelemetrySpec } from '../../system/system.ts';
import type { ResourceDriver } from '../resource.ts';
import { openWireServer } from '../wire/wire-server.ts';
import { telemetryLimits } from './telemetry-limits.ts';
import { TelemetryReceiver } from './telemetry-receiver.ts';

const host = '127.0.0.1';

export const telemetryDriver: ResourceDriver<TelemetrySpec> = {
  kind: 'telemetry',
  provision: async (spec, { clock, emit }) => {
    const receiver = new TelemetryReceiver(spec.name, emit);
    const server = await openWireServer({
      host,
      clock,
      limits: { bodyBytes: telemetryLimits.requestBytes },
      onRequest: (request, reply) => receiver.receive(request, reply),
    });
    return {
      endpoint: { host, port: server.port },
      get summary() {
        const { traces, metrics, logs } = receiver.counts;
        return `a receiver of OTLP/HTTP; requests with traces: ${traces}, metrics: ${metrics}, logs: ${logs}`;
      },
      // It lives in our own process, and goes with it.
      died: new Promise<string>(() => {}),
      references: (_, address) => ({
        url: `http://${address.host}:${address.port}`,
        host: address.host,
        port: String(address.port),
      }),
      peer: receiver,
      stop: () => server.close(),
    };
  },
  sweep: async () => {},
};
