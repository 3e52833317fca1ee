/** A third party under test, and a service that it calls back. */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { PeerCalled } from '../../src/journal/peer-event.ts';
import { httpPeerDriver } from '../../src/resources/http/driver/http-peer-driver.ts';
import type { PeerLine } from '../../src/resources/http/peer-line.ts';
import type { ProvisionedResource, ScriptedPeer } from '../../src/resources/resource.ts';
import type { HttpPeerSpec } from '../../src/system/system.ts';
import { createTestContext, type TestContext } from '../conformance/resource-context.ts';

export interface MessengerSetup {
  readonly context: TestContext;
  readonly messenger: ProvisionedResource;
  readonly peer: ScriptedPeer;
  /** What was called back. */
  readonly heard: Heard[];
  /** How the service answers a callback; 204 by default. */
  takes: (heard: Heard, response: ServerResponse) => void | Promise<void>;
  readonly hookUrl: string;
  begin(...script: PeerLine[]): Promise<void>;
  portOf(caller: string): number;
  shown(): PeerCalled[];
  /** A GET, or a POST where there is a body. */
  ask(path: string, body?: unknown, caller?: string): Promise<{ status: number; text: string }>;
  close(): Promise<void>;
}

export interface Heard {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage['headers'];
  readonly body: string;
}

/** In the config `${channel.url}` is the service, and `${env.SECRET}` is `s3cret`. */
export async function openMessengerSetup(more: Partial<HttpPeerSpec> = {}): Promise<MessengerSetup> {
  const heard: Heard[] = [];
  const hook = await openHook((call, response) => {
    heard.push(call);
    return setup.takes(call, response);
  });
  const hookUrl = `http://127.0.0.1:${(hook.address() as AddressInfo).port}`;
  const context = createTestContext({
    consumers: [
      { kind: 'service', name: 'channel' },
      { kind: 'job', name: 'seed' },
    ],
    resolve: (text) => text.replaceAll('${channel.url}', hookUrl).replaceAll('${env.SECRET}', 's3cret'),
  });
  const spec = {
    kind: 'http',
    name: 'messenger',
    because: 'it is paid',
    standing: [],
    callbacks: {},
    mode: 'script',
    cassettes: context.folder,
    timing: 'compressed',
  } as const;
  const messenger = await httpPeerDriver.provision({ ...spec, ...more }, context);
  const peer = messenger.peer as ScriptedPeer;
  const portOf = (caller: string): number => messenger.endpointFor?.(caller)?.port as number;
  const setup: MessengerSetup = {
    context,
    messenger,
    peer,
    heard,
    takes: (_, response) => void response.writeHead(204).end(),
    hookUrl,
    begin: (...script) => peer.begin({ trial: 't', attempt: 1, seed: 's', script }),
    portOf,
    shown: () => context.emitted.filter((event) => event.type === 'peer.called'),
    ask: async (path, body, caller = 'channel') => {
      const response = await fetch(`http://127.0.0.1:${portOf(caller)}${path}`, {
        method: body === undefined ? 'GET' : 'POST',
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      return { status: response.status, text: await response.text() };
    },
    close: async () => {
      await messenger.stop();
      context.clear();
      hook.closeAllConnections();
      await new Promise((resolve) => hook.close(resolve));
    },
  };
  return setup;
}

async function openHook(
  take: (heard: Heard, response: ServerResponse) => void | Promise<void>,
): Promise<Server> {
  const hook = createServer(async (request, response) => {
    const body = (await request.toArray()).join('');
    const { method = '', url = '', headers } = request;
    await take({ method, path: url, headers, body }, response);
  });
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve));
  return hook;
}
