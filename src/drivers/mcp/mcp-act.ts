/** One step on a client: greeted if needed, asked, answered or overdue, and reported. */
import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { defined } from '../../kernel/defined.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { givenUp, notStarted } from '../act-error.ts';
import { type ActLife, beginLife } from '../act-life.ts';
import type { Act, ActError, ActEvidence, DriverContext, OpenConnection } from '../driver.ts';
import { type ActRecord, createActRecord } from './act-record.ts';
import type { HeldClient } from './attempt-clients.ts';
import type { Call } from './call.ts';
import type { McpStep } from './mcp-step.ts';
import type { Opening } from './open-client.ts';
import { type Answered, failedAnswer, performStep, questionOf } from './perform-step.ts';
import { createReplies } from './scripted-client.ts';

class McpAct implements Act {
  readonly connection: OpenConnection;
  /** The answer is final; what the server says unasked is not. */
  readonly grows = ['notifications', 'requests', 'anomalies', 'dropped'];
  readonly #step: McpStep;
  readonly #context: DriverContext;
  readonly #request: ActEvidence;
  readonly #life: ActLife;
  readonly #record: ActRecord;
  readonly #over = new AbortController();
  readonly #held: HeldClient;
  #awaited = 'the server was not reached';
  #isGivenUp = false;
  #final: ActEvidence | undefined;

  /** Throws when the step has nothing that could be sent. */
  constructor(step: McpStep, context: DriverContext, take: (call: Call) => HeldClient) {
    this.#step = step;
    this.#context = context;
    this.#request = requestEvidence(step, context.bodyBytes);
    this.#record = createActRecord(context.bodyBytes);
    this.#life = beginLife(context, {
      late: () => this.#stop(),
      givenUp: () => {
        this.#isGivenUp = true;
        this.#stop();
      },
    });
    const call: Call = {
      record: this.#record,
      reply: createReplies(step.client),
      signal: this.#over.signal,
      awaits: (what) => {
        this.#awaited = what;
      },
      overdue: () => this.#overdue(),
    };
    this.#held = take(call);
    const held = this.#held;
    // Later steps may continue the same conversation.
    this.connection = {
      start: (next, nextContext) => startMcpAct(next as McpStep, nextContext, () => held),
      close: () => held.close(),
    };
    void this.#perform(call).catch((error: unknown) =>
      this.#end({ isError: true, error: notStarted(error) }),
    );
  }

  get done(): Promise<void> {
    return this.#life.done;
  }

  sentBytes(): number {
    return this.#record.sentBytes;
  }

  /** After the end only what the server says unasked is added, until the next step begins. */
  evidence(): ActEvidence {
    return {
      ...this.#request,
      ...this.#final,
      ...this.#record.evidence(),
      durationMs: this.#life.durationMs,
    };
  }

  async #perform(call: Call): Promise<void> {
    const opened = await this.#held.opening;
    if (opened.kind !== 'open') return this.#end(failedAnswer(opened), opened);
    opened.client.attend(call);
    return this.#end(await performStep(this.#step, opened, call), opened);
  }

  #end(answer: Answered, opened?: Opening): void {
    if (this.#life.isOver) return;
    const { status } = this.#record;
    this.#final = {
      ...boundAnswer(answer, this.#context.bodyBytes),
      ...defined({ status }),
      ...(opened === undefined ? {} : serverFacts(opened, answer.error !== undefined)),
    };
    this.#life.end();
    this.#over.abort();
  }

  /** The waiting act is notified first, and may know what came instead of an answer. */
  #stop(): void {
    this.#over.abort();
    void nextTurn().then(() => this.#end({ isError: true, error: this.#overdue() }));
  }

  #overdue(): ActError {
    if (this.#isGivenUp) return givenUp;
    return { kind: 'timeout', message: `${this.#awaited} within ${this.#context.timeoutMs} ms` };
  }
}

/** An act that was over before it began. */
function failedAct(error: unknown): Act {
  const evidence = { isError: true, error: notStarted(error) };
  return { done: Promise.resolve(), evidence: () => evidence, sentBytes: () => 0 };
}

/** Nothing is begun in an attempt that is given up, or for a step with nothing that could be sent. */
export function startMcpAct(step: McpStep, context: DriverContext, take: (call: Call) => HeldClient): Act {
  if (context.signal.aborted) return failedAct(givenUp.message);
  try {
    return new McpAct(step, context, take);
  } catch (error) {
    return failedAct(error);
  }
}

/** As it is sent, so what has no JSON is found out before anything is. */
function requestEvidence(step: McpStep, mostBytes: number): ActEvidence {
  const question = questionOf(step);
  if (question === undefined) return {};
  const text = JSON.stringify(question);
  const bytes = Buffer.byteLength(text);
  if (bytes <= mostBytes) return { request: parseExactJson(text) };
  return { request: { method: question.method, bytes, truncated: true } };
}

function serverFacts(opened: Opening, isFailed: boolean): ActEvidence {
  if (opened.kind !== 'open') {
    const { transport, lastWords } = opened;
    return { ...defined({ transport }), ...stderrOf(lastWords) };
  }
  const { client, greeting } = opened;
  const { transport } = client;
  return {
    protocolVersion: greeting.protocolVersion,
    transport: transport.kind,
    server: greeting.server,
    ...(isFailed ? stderrOf(transport.lastWords) : {}),
  };
}

function stderrOf(lastWords: (() => string) | undefined): { stderr?: string } {
  const stderr = lastWords?.() ?? '';
  return stderr === '' ? {} : { stderr };
}

const bulky = ['result', 'content', 'tools', 'resources', 'prompts', 'rpcError'] as const;

/** The names of what was listed stay in any case, up to the same limit, because they are what is compared. */
export function boundAnswer(answered: Answered, mostBytes: number): Answered {
  const body = Object.fromEntries(bulky.filter((key) => key in answered).map((key) => [key, answered[key]]));
  const text = JSON.stringify(body);
  const bytes = Buffer.byteLength(text);
  if (bytes <= mostBytes) return answered;
  const rest = Object.fromEntries(Object.entries(answered).filter(([key]) => !(key in body)));
  return {
    ...withNames(rest, mostBytes),
    text: Buffer.from(text).subarray(0, mostBytes).toString('utf8'),
    bytes,
    sha256: createHash('sha256').update(text).digest('hex'),
    truncated: true,
  };
}

function withNames(rest: Answered, mostBytes: number): Answered {
  const { names, ...others } = rest;
  const isSmall = names !== undefined && Buffer.byteLength(JSON.stringify(names)) <= mostBytes;
  return isSmall ? rest : others;
}
