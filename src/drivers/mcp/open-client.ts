/** Finds the transport that a server speaks, and greets it there. */
import { isStateless, isStatelessError } from '../../protocols/mcp/eras.ts';
import { notStarted } from '../act-error.ts';
import type { ActError, DriverContext } from '../driver.ts';
import type { Call } from './call.ts';
import { type Greeted, type Greeting, greet } from './greet.ts';
import { legacySse } from './legacy-sse.ts';
import { createClient, type McpClient } from './mcp-client.ts';
import type { McpStep, TransportKind } from './mcp-step.ts';
import { capabilitiesOf } from './scripted-client.ts';
import { stdio } from './stdio.ts';
import { streamableHttp } from './streamable-http.ts';
import type { Inbox, Transport } from './transport.ts';
import type { Outcome } from './waiting-room.ts';

export interface OpenClient {
  readonly kind: 'open';
  readonly client: McpClient;
  readonly greeting: Greeting;
}

/** No conversation was established. What is known about the server is reported with it. */
export type NotOpen = Exclude<Outcome, { kind: 'result' }> & {
  readonly transport?: TransportKind;
  readonly lastWords?: () => string;
  /** Everything that was begun is ended. */
  readonly closed?: Promise<void>;
};

export type Opening = OpenClient | NotOpen;

export async function openClient(step: McpStep, context: DriverContext, call: Call): Promise<Opening> {
  const fault = faultOf(step);
  if (fault !== undefined) return notOpen(notStarted(fault));
  try {
    if (step.stdio !== undefined) {
      const argv = step.stdio;
      const env = { ...context.env, ...step.env };
      return await begin(step, context, call, (inbox) => stdio(argv, { ...context, env }, inbox));
    }
    return await openHttp(step, context, call);
  } catch (error) {
    return notOpen(notStarted(error));
  }
}

function faultOf({ target, stdio: argv, transport = 'auto', era, headers }: McpStep): string | undefined {
  if (argv === undefined && target === undefined)
    return 'the step names neither a service nor a program to connect to';
  if (argv !== undefined && transport !== 'auto' && transport !== 'stdio')
    return `a program does not speak ${transport}`;
  if (argv !== undefined && headers !== undefined) return 'a program is sent no headers; give it `env`';
  if (argv === undefined && transport === 'stdio')
    return 'the transport stdio needs a command line in `stdio`';
  if (transport === 'sse' && isStateless(era ?? ''))
    return `the transport sse is older than ${era}, and unknown to it`;
  return undefined;
}

async function openHttp(step: McpStep, context: DriverContext, call: Call): Promise<Opening> {
  const { target = '', path, transport = 'auto', headers = {} } = step;
  const base = context.address(target).url;
  const urlOf = (rest: string): URL => new URL(`${base}${rest.startsWith('/') ? '' : '/'}${rest}`);
  const openSse = (): Promise<Opening> =>
    begin(step, context, call, (inbox) => legacySse(urlOf(path ?? '/sse'), headers, inbox));
  if (transport === 'sse') return openSse();
  const url = urlOf(path ?? '/mcp');
  const first = await begin(step, context, call, (inbox) =>
    streamableHttp({ url, headers, clock: context.clock, inbox }),
  );
  if (transport !== 'auto' || first.kind === 'open' || !mayBeOlder(step, first, call)) return first;
  await first.closed;
  const second = await openSse();
  if (second.kind !== 'failed' || first.kind !== 'failed') return second.kind === 'open' ? second : first;
  const message = `POST ${url.pathname}: ${first.error.message}; then ${second.error.message}`;
  // A server that is only slow has not sent anything wrong.
  const { kind } = call.signal.aborted ? second.error : first.error;
  return { ...first, error: { kind, message } };
}

/** The statuses with which a server of 2024 refuses a POST that it does not serve. */
function mayBeOlder({ era }: McpStep, first: NotOpen, { record }: Call): boolean {
  if (isStateless(era ?? '') || (first.kind === 'error' && isStatelessError(first.error.code))) return false;
  return record.status === 400 || record.status === 404 || record.status === 405;
}

async function begin(
  { era, client: scripted }: McpStep,
  { clock }: DriverContext,
  call: Call,
  transportOf: (inbox: Inbox) => Transport,
): Promise<Opening> {
  const client = createClient(clock, capabilitiesOf(scripted), transportOf);
  const { transport } = client;
  client.attend(call);
  call.awaits('the server did not open its stream');
  const fault = await client.open(call);
  const greeted: Greeted =
    fault === undefined
      ? await greet(client, era, call)
      : { kind: 'failed', error: call.signal.aborted ? call.overdue() : fault };
  if (greeted.kind === 'greeted') return { kind: 'open', client, greeting: greeted.greeting };
  const lastWords = (): string => transport.lastWords?.() ?? '';
  return { ...greeted, transport: transport.kind, lastWords, closed: client.close() };
}

function notOpen(error: ActError): NotOpen {
  return { kind: 'failed', error };
}
