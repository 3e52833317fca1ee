/** A model provider for tests, on real sockets, with what it has recorded. */
import { afterEach } from 'vitest';
import type { ModelCalled, PeerUnused } from '../../src/journal/peer-event.ts';
import { type Clock, systemClock } from '../../src/kernel/clock.ts';
import { modelDriver } from '../../src/resources/model/driver/model-driver.ts';
import type { ModelScript } from '../../src/resources/model/script-line.ts';
import type { PeerPart, ProvisionedResource } from '../../src/resources/resource.ts';
import type { ModelSpec } from '../../src/system/system.ts';
import {
  createTestContext,
  type TestContext,
  type TestContextOptions,
} from '../conformance/resource-context.ts';

export interface OpenModel {
  readonly resource: ProvisionedResource;
  readonly context: TestContext;
  readonly key: string;
  /** The address of a caller's own port. */
  url(caller?: string): string;
  begin(script?: ModelScript, part?: Partial<PeerPart>): Promise<void>;
  settle(): Promise<void>;
  calls(): readonly ModelCalled[];
  unused(): readonly PeerUnused[];
  /** To the port of `agent`, with the key of the environment, by default. */
  ask(path: string, body: unknown, options?: AskOptions): Promise<Answer>;
}

export interface AskOptions {
  readonly caller?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** Parsed where it is JSON. */
  readonly json: unknown;
}

const open: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const close of open.splice(0)) await close();
});

export async function openModel(
  spec: Partial<ModelSpec> = {},
  { clock = systemClock, ...options }: TestContextOptions & { readonly clock?: Clock } = {},
): Promise<OpenModel> {
  const consumers = ['agent', 'gateway'].map((name) => ({ kind: 'service' as const, name }));
  const context = { ...createTestContext({ consumers, hostEnv: {}, ...options }), clock };
  const resource = await modelDriver.provision({ ...plainSpec, ...spec }, context).catch((error: unknown) => {
    context.clear();
    throw error;
  });
  open.push(async () => {
    await resource.stop();
    context.clear();
  });
  const url = (caller = 'agent'): string => {
    const { host, port } = resource.endpointFor?.(caller) ?? resource.endpoint;
    return `http://${host}:${port}`;
  };
  const { key = '' } = resource.references({ kind: 'service', name: 'agent' }, resource.endpoint);
  return {
    resource,
    context,
    key,
    url,
    begin: async (script, part = {}) =>
      resource.peer?.begin({ trial: 'a/trial', attempt: 1, seed: 'seed', script, ...part }),
    settle: async () => resource.peer?.settle(),
    calls: () => context.emitted.filter((event) => event.type === 'model.called'),
    unused: () => context.emitted.filter((event) => event.type === 'peer.unused'),
    ask: async (path, body, { caller, headers, method = 'POST' } = {}) => {
      const response = await fetch(`${url(caller)}${path}`, {
        method,
        headers: headers ?? {
          authorization: `Bearer ${key}`,
          'x-api-key': key,
          'x-goog-api-key': key,
          ...(path.startsWith('/v1/messages') ? { 'anthropic-version': '2023-06-01' } : {}),
        },
        ...(method === 'GET' ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      });
      const text = await response.text();
      return { status: response.status, headers: response.headers, text, json: parsed(text) };
    },
  };
}

const plainSpec: ModelSpec = {
  kind: 'model',
  name: 'model',
  mode: 'script',
  strict: false,
  standing: {},
  fixtures: [],
  upstreams: {},
  prices: {},
  cassettes: '/nowhere',
  timing: 'compressed',
};

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const question = 'What is in my notes?';
const parameters = { type: 'object', properties: { path: { type: 'string' } } };

/** The same question in each dialect, with one tool. */
export const asking = {
  'openai-chat': (stream = false) => ({
    path: '/v1/chat/completions',
    body: {
      model: 'gpt-4o',
      stream,
      ...(stream ? { stream_options: { include_usage: true } } : {}),
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: question },
      ],
      tools: [{ type: 'function', function: { name: 'read_file', parameters } }],
    },
  }),
  'openai-responses': (stream = false) => ({
    path: '/v1/responses',
    body: {
      model: 'gpt-4o',
      stream,
      instructions: 'Be brief.',
      input: [{ role: 'user', content: question }],
      tools: [{ type: 'function', name: 'read_file', parameters }],
    },
  }),
  anthropic: (stream = false) => ({
    path: '/v1/messages',
    body: {
      model: 'claude-sonnet-4-5',
      max_tokens: 100,
      stream,
      system: 'Be brief.',
      messages: [{ role: 'user', content: question }],
      tools: [{ name: 'read_file', input_schema: parameters }],
    },
  }),
  gemini: (stream = false) => ({
    path: `/v1beta/models/gemini-2.5-flash:${stream ? 'streamGenerateContent?alt=sse' : 'generateContent'}`,
    body: {
      systemInstruction: { parts: [{ text: 'Be brief.' }] },
      contents: [{ role: 'user', parts: [{ text: question }] }],
      tools: [{ functionDeclarations: [{ name: 'read_file', parameters }] }],
    },
  }),
};
