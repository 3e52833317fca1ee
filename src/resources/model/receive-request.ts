/** Receives what a consumer sends: lets it in as a provider would, has it answered, and writes it down. */
import type { Emit } from '../../journal/event.ts';
import type { ModelFault } from '../../journal/peer-event.ts';
import { defined } from '../../kernel/defined.ts';
import { exactJsonOr } from '../../kernel/exact-json.ts';
import { dialects } from '../../protocols/dialects/dialect-table.ts';
import { isTooDeep } from '../../protocols/json-rpc/json-depth.ts';
import { routeCall } from '../../protocols/questions/question-table.ts';
import type { Dialect, ModelRequest, ModelRoute } from '../../protocols/turn/dialect.ts';
import { sealRule } from '../../protocols/turn/seal.ts';
import type { WireFault } from '../../protocols/turn/turn.ts';
import type { ModelSpec } from '../../system/system.ts';
import type { WireReply, WireRequest } from '../wire/wire-server.ts';
import { costOf } from './cost-of.ts';
import { drawId } from './draw-id.ts';
import { isLetIn, keyOf } from './key-of.ts';
import { allowOrigin, answerPreflight } from './let-browsers-in.ts';
import { giveModelList } from './list-models.ts';
import type { Answered, CallOutcome, ModelCall, ModelPlayer } from './model-call.ts';
import {
  geminiNotFound,
  noKey,
  noSuchModel,
  noSuchPath,
  notJson,
  noVersion,
  tooLarge,
  wrongKey,
} from './provider-words.ts';
import { type Asker, sayNo } from './refuse-call.ts';
import { requestView } from './request-view.ts';
import type { RequestView } from './script-line.ts';

export interface Reception {
  readonly spec: ModelSpec;
  /** The environment's own. */
  readonly key: string;
  readonly emit: Emit;
  at(): number;
  /** The current responder, and the number of the caller's next call. */
  player(): ModelPlayer;
  countCall(caller: string): number;
  /** Of the attempt. */
  seed(): string;
}

export type Receive = (caller: string, request: WireRequest, reply: WireReply) => void | Promise<void>;

export function createReceive(reception: Reception): Receive {
  const { spec, emit, at } = reception;
  return (caller, wire, given) => {
    if (answerPreflight(wire, given)) return undefined;
    const reply = allowOrigin(wire, given);
    const idOf = (what: string | number): string => `req_${drawId(`${reception.seed()}/${caller}/${what}`)}`;
    if (giveModelList(reception, wire, reply, () => idOf('models'))) return undefined;
    const startedAt = at();
    const found = routeCall(wire.method, wire.path);
    const number = reception.countCall(caller);
    const asker = { dialect: found?.dialect ?? guessDialect(wire), reply, requestId: idOf(number) };
    let asked: Pick<ModelRequest, 'model' | 'stream'> = { model: null, stream: false };
    const write = (outcome: CallOutcome): void => {
      const model = outcome.model ?? asked.model;
      emit({
        type: 'model.called',
        resource: spec.name,
        caller,
        call: number,
        mode: spec.mode,
        dialect: found?.dialect.name ?? null,
        ...defined({ asks: found?.question?.asks }),
        model,
        streamed: asked.stream,
        status: outcome.status,
        ...(spec.mode === 'script' ? { requestId: asker.requestId } : {}),
        ...defined({ line: outcome.line }),
        usage: outcome.usage,
        costUsd: costOfOutcome(outcome, model, spec) ?? costOfOutcome(outcome, asked.model, spec),
        ...defined({ counted: outcome.counted, fault: outcome.fault }),
        startedAt,
        endedAt: at(),
      });
    };
    const refused = refusalOf(reception, wire, asker, found !== undefined);
    if (refused !== undefined) return write(refused);
    const call = readCall({ ...asker, ...found, caller, number, wire, route: found?.route ?? {} });
    if (call === undefined) return write(badRequest(asker, notJson(asker.dialect.name, wire.headers)));
    asked = call.request;
    return writeOutcome(() => objectionTo(call, spec) ?? reception.player().answer(call), write);
  };
}

/** What fails here is our own bug; it is recorded before the caller is answered. */
function writeOutcome(answer: () => Answered, write: (outcome: CallOutcome) => void): void | Promise<void> {
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

/** The first reason to refuse it. */
function refusalOf(
  { spec, key }: Reception,
  wire: WireRequest,
  asker: Asker,
  isKnownPath: boolean,
): CallOutcome | undefined {
  const { name } = asker.dialect;
  if (!isKnownPath) return nobodyThere(wire, asker);
  const given = keyOf(wire, name);
  if (given === undefined) return sayNo(asker, noKey(name), 'bad-key');
  if (!isLetIn(given, spec, key)) return sayNo(asker, wrongKey(name), 'bad-key');
  const hasVersion = name !== 'anthropic' || wire.headers['anthropic-version'] !== undefined;
  if (isPlayed(spec) && !hasVersion) return badRequest(asker, noVersion);
  if (wire.tooLarge !== true) return undefined;
  return badRequest(asker, tooLarge(name), 413);
}

/** A consumer that ignores the refusal would behave differently with the real provider, so the trial is blamed. */
function nobodyThere(wire: WireRequest, asker: Asker): CallOutcome {
  const { method, path } = wire;
  const { name } = asker.dialect;
  const isAsked = versioned.test(path) || keyOf(wire, name) !== undefined;
  const isCall = ofOllama.test(path) || (!beside.test(path) && isAsked);
  const fault: ModelFault = isCall
    ? { kind: 'unscripted', what: `${method} ${path} is not played: ${played}` }
    : { kind: 'unknown-path', what: noSuchPath(name, method, path) };
  if (name !== 'gemini')
    return sayNo(asker, { status: 404, kind: 'invalid-request', message: fault.what }, fault.kind);
  asker.reply.send(404, { 'content-type': 'text/html; charset=UTF-8' }, geminiNotFound(path));
  return { status: 404, usage: null, fault };
}

const played = 'only turns, completions, embeddings, counts of tokens and the list of models are';
/** Every API of a provider is below a version; a prefix may be before it. */
const versioned = /^(?:\/[^/]+)?\/v\d\w*\/./;
/** Probes, and telemetry that programs send in addition to the API: `/api/hello`, `/api/event_logging/batch`. */
const beside = /^\/(?:v\d\w*\/?|api\/(?!v\d).*)?$/;
const ofOllama = /^\/api\/(?:chat|generate|embed|embeddings)$/;

/** Nothing else answers. */
function isPlayed({ mode }: ModelSpec): boolean {
  return mode === 'script' || mode === 'cassette';
}

interface CallSource extends Omit<ModelCall, 'request' | 'json' | 'view'> {
  readonly route: ModelRoute;
}

/** Undefined where the body is not JSON, or is nested unreasonably deep. */
function readCall({ route, ...call }: CallSource): ModelCall | undefined {
  const json = exactJsonOr(call.wire.body.toString(), undefined);
  if (json === undefined || isTooDeep(json)) return undefined;
  const { path, headers } = call.wire;
  const request = call.dialect.readRequest(json, route);
  const asks = call.question?.asks ?? 'turn';
  let view: RequestView | undefined;
  return {
    ...call,
    json,
    request,
    view: () => (view ??= requestView({ asks, path, headers, json, request })),
  };
}

/** What a provider finds wrong with a request that it could read. */
function objectionTo(call: ModelCall, spec: ModelSpec): CallOutcome | undefined {
  const { dialect, request } = call;
  const [broken] = request.faults;
  if (broken) return badRequest(call, `${broken.what} (${broken.rule})`);
  const { model } = request;
  if (model !== null && spec.models !== undefined && !spec.models.includes(model.replace(/^models\//, ''))) {
    const message = noSuchModel(dialect.name, model);
    return sayNo(call, { status: 404, kind: 'not-found', message }, 'unknown-model');
  }
  const unfit = spec.strict && isPlayed(spec) ? historyFault(request, spec) : undefined;
  if (unfit === undefined) return undefined;
  const isSealed = unfit.rule === `responses.${sealRule}`;
  return sayNo(
    call,
    {
      status: 400,
      kind: 'invalid-request',
      message: `${unfit.what} (${unfit.rule})`,
      ...(isSealed ? { code: 'invalid_encrypted_content' } : {}),
    },
    'bad-history',
  );
}

/** What a recording has sealed, only the one that was recorded can open. */
function historyFault({ historyFaults }: ModelRequest, { mode }: ModelSpec): WireFault | undefined {
  return historyFaults.find(({ rule }) => mode === 'script' || !rule.endsWith(sealRule));
}

function badRequest(asker: Asker, message: string, status = 400): CallOutcome {
  return sayNo(asker, { status, kind: 'invalid-request', message }, 'bad-request');
}

/** The provider in whose words an unknown address is refused. */
function guessDialect({ path, headers }: WireRequest): Dialect {
  if (headers['anthropic-version'] !== undefined || headers['x-api-key'] !== undefined)
    return dialects.anthropic;
  return path.startsWith('/v1beta') || headers['x-goog-api-key'] !== undefined
    ? dialects.gemini
    : dialects['openai-chat'];
}

/** A refusal without usage is not billed. */
function costOfOutcome(
  { status, usage }: CallOutcome,
  model: string | null,
  { prices }: ModelSpec,
): number | null {
  return usage === null && status >= 400 ? 0 : costOf(model, usage, prices);
}
