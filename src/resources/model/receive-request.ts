/** Receives what a consumer sends: lets it in as a provider would, has it answered, and writes it down. */

import type { Emit } from '../../journal/event.ts';
import type { ModelCalled } from '../../journal/peer-event.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { isTooDeep } from '../../protocols/json-rpc/json-depth.ts';
import type { Dialect, ModelRoute } from '../../protocols/turn/dialect.ts';
import { dialectFor, dialects } from '../../protocols/turn/dialect-table.ts';
import type { ModelSpec } from '../../system/system.ts';
import type { WireReply, WireRequest } from '../wire/wire-server.ts';
import { costOf } from './cost-of.ts';
import { isLetIn, keyOf } from './key-of.ts';
import { giveModelList } from './list-models.ts';
import type { CallOutcome, ModelCall, ModelPlayer } from './model-call.ts';
import { noKey, noSuchModel, noSuchPath, notJson, tooLarge, wrongKey } from './provider-words.ts';
import { sayNo } from './refuse-call.ts';
import { requestView } from './request-view.ts';
import type { RequestView } from './script-line.ts';

export interface Reception {
  readonly spec: ModelSpec;
  /** The environment's own. */
  readonly key: string;
  readonly emit: Emit;
  at(): number;
  /** Who answers now, and the number of the caller's next call. */
  player(): ModelPlayer;
  countCall(caller: string): number;
}

export type Receive = (caller: string, request: WireRequest, reply: WireReply) => void | Promise<void>;

export function createReceive(reception: Reception): Receive {
  const { spec, emit, at } = reception;
  return (caller, wire, reply) => {
    if (giveModelList(reception, wire, reply)) return undefined;
    const startedAt = at();
    const found = dialectFor(wire.method, wire.path);
    const dialect = found?.dialect ?? guessDialect(wire);
    const number = reception.countCall(caller);
    const about: CallAbout = { model: null, streamed: false };
    const write = (outcome: CallOutcome): void =>
      emit(writtenDown(reception, { caller, number, startedAt, dialect: found && dialect, about, outcome }));
    const refused = refusalOf(reception, wire, reply, dialect, found !== undefined);
    if (refused !== undefined) return write(refused);
    const call = readCall({ caller, number, dialect, wire, reply, route: found?.route ?? {} });
    if (call === undefined) return write(badRequest(dialect, reply, notJson(dialect.name)));
    about.model = call.request.model;
    about.streamed = call.request.stream;
    return writeOutcome(() => objectionTo(call, spec) ?? reception.player().answer(call), write);
  };
}

/** What fails here is a bug of ours; it is written down before whoever called us answers for it. */
function writeOutcome(
  answer: () => CallOutcome | Promise<CallOutcome>,
  write: (outcome: CallOutcome) => void,
): void | Promise<void> {
  const fail = (error: unknown): never => {
    const what = `it could not be answered: ${error instanceof Error ? error.message : String(error)}`;
    write({ status: 500, usage: null, fault: { kind: 'bad-request', what } });
    throw error;
  };
  try {
    const outcome = answer();
    return outcome instanceof Promise ? outcome.then(write, fail) : write(outcome);
  } catch (error) {
    return fail(error);
  }
}

interface CallAbout {
  model: string | null;
  streamed: boolean;
}

/** The first reason for which the door stays shut. */
function refusalOf(
  { spec, key }: Reception,
  wire: WireRequest,
  reply: WireReply,
  dialect: Dialect,
  isKnownPath: boolean,
): CallOutcome | undefined {
  const { name } = dialect;
  const no = (status: number, message: string): CallOutcome =>
    sayNo(dialect, reply, { status, kind: 'authentication', message }, 'bad-key');
  if (!isKnownPath) {
    const message = noSuchPath(name, wire.method, wire.path);
    return sayNo(dialect, reply, { status: 404, kind: 'not-found', message }, 'unknown-path');
  }
  const given = keyOf(wire, name);
  if (given === undefined) return no(401, noKey(name));
  if (!isLetIn(given, spec, key)) return no(401, wrongKey(name));
  if (wire.tooLarge !== true) return undefined;
  const message = tooLarge(name);
  return sayNo(dialect, reply, { status: 413, kind: 'invalid-request', message }, 'bad-request');
}

interface CallSource extends Pick<ModelCall, 'caller' | 'number' | 'dialect' | 'wire' | 'reply'> {
  readonly route: ModelRoute;
}

/** Undefined where the body is no JSON, or nested deeper than anybody could mean. */
function readCall({ route, ...call }: CallSource): ModelCall | undefined {
  const json = parseJson(call.wire.body);
  if (json === undefined || isTooDeep(json)) return undefined;
  const { path, headers } = call.wire;
  const request = call.dialect.readRequest(json, route);
  let view: RequestView | undefined;
  return { ...call, json, request, view: () => (view ??= requestView({ path, headers, json, request })) };
}

function parseJson(body: Buffer): unknown {
  try {
    return parseExactJson(body.toString());
  } catch {
    return undefined; // said in the dialect's words
  }
}

/** What a provider finds wrong with a request that it could read. */
function objectionTo({ dialect, request, reply }: ModelCall, spec: ModelSpec): CallOutcome | undefined {
  const [broken] = request.faults;
  if (broken) return badRequest(dialect, reply, `${broken.what} (${broken.rule})`);
  const { model } = request;
  if (model !== null && spec.models !== undefined && !spec.models.includes(model.replace(/^models\//, ''))) {
    const message = noSuchModel(dialect.name, model);
    return sayNo(dialect, reply, { status: 404, kind: 'not-found', message }, 'unknown-model');
  }
  const isOurs = spec.mode === 'script' || spec.mode === 'cassette';
  const [unfit] = spec.strict && isOurs ? request.historyFaults : [];
  if (unfit === undefined) return undefined;
  const message = `${unfit.what} (${unfit.rule})`;
  return sayNo(dialect, reply, { status: 400, kind: 'invalid-request', message }, 'bad-history');
}

function badRequest(dialect: Dialect, reply: WireReply, message: string): CallOutcome {
  return sayNo(dialect, reply, { status: 400, kind: 'invalid-request', message }, 'bad-request');
}

/** In whose words an address that nobody has is refused. */
function guessDialect({ path, headers }: WireRequest): Dialect {
  if (headers['anthropic-version'] !== undefined || headers['x-api-key'] !== undefined)
    return dialects.anthropic;
  return path.startsWith('/v1beta') || headers['x-goog-api-key'] !== undefined
    ? dialects.gemini
    : dialects['openai-chat'];
}

interface Written {
  readonly caller: string;
  readonly number: number;
  readonly startedAt: number;
  readonly dialect: Dialect | undefined;
  readonly about: CallAbout;
  readonly outcome: CallOutcome;
}

function writtenDown({ spec, at }: Reception, written: Written): ModelCalled {
  const { caller, number, startedAt, dialect, about, outcome } = written;
  const model = outcome.model ?? about.model;
  return {
    type: 'model.called',
    resource: spec.name,
    caller,
    call: number,
    mode: spec.mode,
    dialect: dialect?.name ?? null,
    model,
    streamed: about.streamed,
    status: outcome.status,
    ...(outcome.line === undefined ? {} : { line: outcome.line }),
    usage: outcome.usage,
    costUsd: costOfOutcome(outcome, model, spec) ?? costOfOutcome(outcome, about.model, spec),
    ...(outcome.counted === undefined ? {} : { counted: outcome.counted }),
    ...(outcome.fault === undefined ? {} : { fault: outcome.fault }),
    startedAt,
    endedAt: at(),
  };
}

/** A refusal that tells of no usage is not billed. */
function costOfOutcome(
  { status, usage }: CallOutcome,
  model: string | null,
  { prices }: ModelSpec,
): number | null {
  return usage === null && status >= 400 ? 0 : costOf(model, usage, prices);
}
