/** For a plugin in TypeScript: serves the requests of Shakedown on standard input and output. */
import { createInterface } from 'node:readline';
import type { ActError } from '../drivers/driver.ts';
import { parseExactJson } from '../kernel/exact-json.ts';
import type { CheckDescription, StepDescription } from './description.ts';

export interface PluginRequest {
  /** The step, or the query of the check, as written. */
  readonly step: Readonly<Record<string, unknown>>;
  readonly query: Readonly<Record<string, unknown>>;
  /** The service that it names, where its kind has `target: 'service'`. */
  readonly target: {
    readonly name: string;
    readonly host: string;
    readonly port: number;
    readonly url: string;
  };
  readonly timeoutMs: number;
  /** A disposable folder of the attempt. */
  readonly scratch: string;
  /** Of a look before the first step: where every service listens. */
  readonly before?: true;
  readonly services?: Readonly<Record<string, unknown>>;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal: AbortSignal;
}

export interface PluginParts {
  readonly steps?: Readonly<
    Record<
      string,
      StepDescription & { start(request: PluginRequest): Promise<Readonly<Record<string, unknown>>> }
    >
  >;
  readonly checks?: Readonly<
    Record<string, CheckDescription & { look(request: PluginRequest): Promise<unknown> }>
  >;
  /** Called once, when the attempt is over. */
  readonly close?: () => Promise<void> | void;
}

/** Thrown by a step that could not be completed, or by a look that shows nothing; with `retry`, waiting may help. */
export class PluginError extends Error {
  readonly kind: ActError['kind'];
  readonly retry: boolean;

  constructor(
    message: string,
    { kind = 'garbage', retry = false }: { kind?: ActError['kind']; retry?: boolean } = {},
  ) {
    super(message);
    this.kind = kind;
    this.retry = retry;
  }
}

interface Incoming {
  readonly id: number;
  readonly do: string;
  readonly kind?: string;
}

export function definePlugin(parts: PluginParts): void {
  const running = new Map<number, AbortController>();
  // What the plugin prints itself must not be mistaken for an answer.
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = process.stderr.write.bind(process.stderr) as typeof process.stdout.write;
  const say = (message: unknown): void => void write(`${JSON.stringify(message)}\n`);
  const end = async (): Promise<void> => {
    await parts.close?.();
    process.exit(0);
  };
  const serve = async (message: Incoming): Promise<void> => {
    const { id } = message;
    const control = new AbortController();
    running.set(id, control);
    const request = { step: {}, query: {}, ...message, signal: control.signal } as unknown as PluginRequest;
    say({ id, ...(await answer(parts, message, request)) });
    running.delete(id);
  };
  const lines = createInterface({ input: process.stdin });
  lines.on('line', (line) => {
    const message = parsed(line);
    if (!message) return; // not a request
    if (message.do === 'describe') say({ id: message.id, description: describe(parts) });
    else if (message.do === 'cancel') running.get(message.id)?.abort();
    else if (message.do === 'close') {
      say({ id: message.id });
      void end();
    } else void serve(message);
  });
  lines.once('close', () => void end());
}

function parsed(line: string): Incoming | undefined {
  try {
    return parseExactJson(line) as Incoming;
  } catch {
    return undefined;
  }
}

function describe({ steps = {}, checks = {} }: PluginParts): unknown {
  const without = (kinds: Readonly<Record<string, object>>, key: string): unknown =>
    Object.fromEntries(
      Object.entries(kinds).map(([name, kind]) => [
        name,
        Object.fromEntries(Object.entries(kind).filter(([part]) => part !== key)),
      ]),
    );
  return { protocol: 1, steps: without(steps, 'start'), checks: without(checks, 'look') };
}

async function answer(
  { steps = {}, checks = {} }: PluginParts,
  asked: Incoming,
  request: PluginRequest,
): Promise<object> {
  const kind = String(asked.kind);
  try {
    if (asked.do === 'start' && steps[kind]) return { evidence: plain(await steps[kind].start(request)) };
    if (asked.do === 'look' && checks[kind]) return { observed: plain(await checks[kind].look(request)) };
    throw new PluginError(`there is no kind \`${kind}\` to ${asked.do}`, { kind: 'not-started' });
  } catch (error) {
    const { kind: known, retry } =
      error instanceof PluginError ? error : { kind: 'plugin-failed', retry: false };
    return { error: { kind: known, retry, message: error instanceof Error ? error.message : String(error) } };
  }
}

/** What JSON would silently turn into something else is refused. */
function plain<Value>(value: Value): Value {
  JSON.stringify(value, (key, inner: unknown) => {
    const isOdd =
      typeof inner === 'number' ? !Number.isFinite(inner) : inner instanceof Map || inner instanceof Set;
    if (isOdd)
      throw new TypeError(`it gave something that JSON does not have at \`${key}\`: ${String(inner)}`);
    return inner;
  });
  return value;
}
