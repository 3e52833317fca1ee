/** One conversation with a server: requests and their answers, and what the server says or asks in between. */
import type { Clock } from '../../kernel/clock.ts';
import { defined } from '../../kernel/defined.ts';
import type { JsonMap } from '../../kernel/is-map.ts';
import type { Incoming, JsonRpcId, Outgoing } from '../../protocols/json-rpc/message.ts';
import { isStateless } from '../../protocols/mcp/eras.ts';
import { withRequestMeta } from '../../protocols/mcp/stateless-request.ts';
import type { ActError } from '../driver.ts';
import type { Call } from './call.ts';
import { mcpLimits } from './mcp-limits.ts';
import { createReplies, type Reply } from './scripted-client.ts';
import { aside, type Delivery, type Inbox, type Posting, type Transport } from './transport.ts';
import { createWaitingRoom, type Outcome, type WaitingRoom } from './waiting-room.ts';

export interface McpClient {
  readonly transport: Transport;
  /** The capabilities that we declare. */
  readonly capabilities: JsonMap;
  /** The version of the protocol, once it is agreed upon. */
  version: string | undefined;
  /** How the conversation ended; undefined while it is open. */
  broken(): ActError | undefined;
  /** From now on this act receives what belongs to no request; finished acts receive no more. */
  attend(call: Call): void;
  open(call: Call): Promise<ActError | undefined>;
  listen(call: Call): Promise<void>;
  request(
    method: string,
    params: JsonMap | undefined,
    call: Call,
    headers?: Record<string, string>,
  ): Promise<Outcome>;
  notify(method: string, params: JsonMap | undefined, call: Call): Promise<ActError | undefined>;
  close(): Promise<void>;
}

interface Conversation {
  readonly clock: Clock;
  readonly capabilities: JsonMap;
  readonly waiting: WaitingRoom;
  readonly transport: Transport;
  readonly audience: Set<Call>;
  version: string | undefined;
  broken: ActError | undefined;
}

export function createClient(
  clock: Clock,
  capabilities: JsonMap,
  transportOf: (inbox: Inbox) => Transport,
): McpClient {
  const waiting = createWaitingRoom();
  const audience = new Set<Call>();
  const transport = transportOf({
    receive: (messages, about) => {
      for (const message of messages) take(talk, message, about);
    },
    note: (anomaly, about) => note(talk, anomaly, about),
    isAnswered: (id) => !waiting.isWaiting(id),
    broke: (error) => {
      talk.broken ??= error;
      waiting.failAll(error);
    },
  });
  const talk: Conversation = {
    clock,
    capabilities,
    waiting,
    transport,
    audience,
    version: undefined,
    broken: undefined,
  };
  let closing: Promise<void> | undefined;
  return {
    transport,
    capabilities,
    get version() {
      return talk.version;
    },
    set version(version) {
      talk.version = version;
      if (version !== undefined) transport.agree(version);
    },
    broken: () => talk.broken,
    attend: (call) => {
      for (const other of audience) if (other.signal.aborted) audience.delete(other);
      audience.add(call);
    },
    open: (call) => transport.open(postingOf(call)),
    listen: async (call) => transport.listen?.(postingOf(call)),
    request: (method, params, call, headers) => ask(talk, { method, params, headers }, call),
    notify: async (method, params, call) => {
      const message: Outgoing = { jsonrpc: '2.0', method, ...paramsOf(talk, params) };
      const sent = await transport.send(message, postingOf(call));
      return sent.state === 'failed' ? sent.error : undefined;
    },
    close: () => {
      talk.broken ??= { kind: 'closed', message: 'the conversation is over' };
      closing ??= transport.close();
      return closing;
    },
  };
}

function postingOf(call: Call, signal = call.signal): Posting {
  const { record } = call;
  return {
    signal,
    sent: (bytes) => {
      record.sentBytes += bytes;
    },
    status: (code) => {
      record.status = code;
    },
  };
}

function paramsOf(
  { version, capabilities }: Conversation,
  params: JsonMap | undefined,
): { params?: JsonMap } {
  if (version !== undefined && isStateless(version))
    return { params: withRequestMeta(params, version, capabilities) };
  return params === undefined ? {} : { params };
}

interface Question {
  readonly method: string;
  readonly params: JsonMap | undefined;
  readonly headers: Record<string, string> | undefined;
}

async function ask(talk: Conversation, { method, params, headers }: Question, call: Call): Promise<Outcome> {
  const { waiting, transport, clock } = talk;
  if (talk.broken) return { kind: 'failed', error: talk.broken };
  const { id, outcome } = waiting.enter(method, call);
  call.awaits(`${method} was not answered`);
  const post = new AbortController();
  const giveUp = (): void => {
    if (!waiting.isWaiting(id)) return;
    waiting.fail(id, call.overdue());
    void cancel(talk, id).finally(() => post.abort());
  };
  call.signal.addEventListener('abort', giveUp, { once: true });
  const message: Outgoing = { jsonrpc: '2.0', id, method, ...paramsOf(talk, params) };
  const posting = { ...postingOf(call, post.signal), ...defined({ headers }) };
  void transport.send(message, posting).then((delivery: Delivery) => {
    if (delivery.state === 'failed') waiting.fail(id, delivery.error);
  });
  if (call.signal.aborted) giveUp();
  const answer = await outcome;
  call.signal.removeEventListener('abort', giveUp);
  clock.after(mcpLimits.lingerMs, () => post.abort());
  return answer;
}

/** Over HTTP in the stateless era, closing the request cancels it; the greeting must not be cancelled. */
async function cancel(talk: Conversation, id: number): Promise<void> {
  const isHangUp = isStateless(talk.version ?? '') && talk.transport.kind !== 'stdio';
  if (isHangUp || talk.version === undefined || talk.broken) return;
  const params = { requestId: id, reason: 'the client no longer waits for it' };
  const message: Outgoing = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
  await aside(talk.clock, (posting) => talk.transport.send(message, posting));
}

function take(talk: Conversation, message: Incoming, about: JsonRpcId | undefined): void {
  if (message.kind === 'notification' || message.kind === 'request') hear(talk, message, about);
  else if (message.kind === 'broken') {
    const what = `the server sent an invalid message: it ${message.why}`;
    talk.waiting.instead(what, about);
    note(talk, what, about);
  } else matchAnswer(talk, message, about);
}

type Answer = Extract<Incoming, { kind: 'result' | 'error' }>;

function matchAnswer(talk: Conversation, message: Answer, about: JsonRpcId | undefined): void {
  const found = talk.waiting.find(message.id, about);
  if (found.kind === 'late') return;
  if (found.anomaly !== undefined) note(talk, found.anomaly, about);
  if (found.kind === 'stray') talk.waiting.instead(found.anomaly, about);
  else if (message.kind === 'result') {
    talk.waiting.settle(found.id, { kind: 'result', result: message.result });
  } else talk.waiting.settle(found.id, { kind: 'error', error: message.error, during: found.method });
}

type Unasked = Extract<Incoming, { kind: 'notification' | 'request' }>;

function hear(talk: Conversation, message: Unasked, about: JsonRpcId | undefined): void {
  const { kind, method, params } = message;
  const said = params === undefined ? { method } : { method, params };
  const calls = [...hearers(talk, about)];
  if (kind === 'notification') {
    for (const { record } of calls) record.notify(said);
    return;
  }
  // The latest act: of several that receive it, only one may use up an answer.
  const reply = (calls.at(-1)?.reply ?? createReplies())(method);
  for (const { record } of calls) record.asked({ ...said, ...reply });
  void answer(talk, message.id, method, reply);
}

async function answer(talk: Conversation, id: JsonRpcId, method: string, reply: Reply): Promise<void> {
  const message: Outgoing = { jsonrpc: '2.0', id, ...reply };
  const delivery = await aside(talk.clock, (posting) => talk.transport.send(message, posting));
  if (delivery.state === 'failed')
    note(talk, `the answer to ${method} was not taken: ${delivery.error.message}`);
}

function note(talk: Conversation, anomaly: string, about?: JsonRpcId): void {
  for (const { record } of hearers(talk, about)) record.note(anomaly);
}

/** What comes on a request's own answer is for its act; the rest is for all. */
function hearers({ audience, waiting }: Conversation, about: JsonRpcId | undefined): Iterable<Call> {
  const owner = about === undefined ? undefined : waiting.callOf(about);
  return owner === undefined ? audience : [owner];
}
