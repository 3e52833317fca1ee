/** Fixtures of aimock as lines of a script: those for models that talk, and for nothing else. */
import { readFile, stat } from 'node:fs/promises';
import { defined } from '../../../kernel/defined.ts';
import { exactJsonOr, parseExactJson } from '../../../kernel/exact-json.ts';
import { isMap, type JsonMap } from '../../../kernel/is-map.ts';
import { Problem } from '../../../kernel/problem.ts';
import { formatSize } from '../../../kernel/size.ts';
import { errorCode } from '../../../kernel/system-error.ts';
import { printValue } from '../../../patterns/print-value.ts';
import type { StopReason, Usage } from '../../../protocols/turn/turn.ts';
import type { ScriptedCall, ScriptLine } from '../script-line.ts';

const mostFixtures = 10_000;

/** Standing lines for every caller: the first that fits is used, as in aimock. */
export function loadAimockFixtures(json: unknown, where = 'aimock fixtures'): readonly ScriptLine[] {
  const fixtures = isMap(json) ? json.fixtures : undefined;
  if (!Array.isArray(fixtures) || fixtures.length > mostFixtures)
    throw problem(
      where,
      `it holds ${printValue(json, 80)}`,
      `{ "fixtures": [ … ] } with at most ${mostFixtures} of them`,
    );
  const entries = fixtures
    .map((fixture: unknown, index) => readFixture(fixture, `${where}, fixtures[${index}]`))
    .filter((entry) => entry !== undefined);
  return inSequence(entries)
    .sort((a, b) => turnOf(b) - turnOf(a))
    .map(({ line }) => ({ ...line, firstOf: where }));
}

interface Entry {
  readonly match: JsonMap;
  readonly line: ScriptLine;
}

/** Undefined for one that is about images, sounds or vectors. */
function readFixture(fixture: unknown, where: string): Entry | undefined {
  const { match, response, ...timing } = isMap(fixture) ? fixture : {};
  if (!isMap(match) || !isMap(response)) {
    const what = `it is ${printValue(fixture, 80)}`;
    throw problem(where, what, '{ "match": { … }, "response": { … } }');
  }
  const { endpoint } = match;
  if ((endpoint !== undefined && endpoint !== 'chat') || match.inputText !== undefined) return undefined;
  const unplayable = ['truncateAfterChunks', 'disconnectAfterMs', 'chaos'].find(
    (key) => timing[key] !== undefined,
  );
  if (unplayable !== undefined) {
    const what = `\`${unplayable}\` cannot be played from a fixture`;
    throw problem(where, what, 'answers as they are', 'remove it, and declare `disturb` in the trial');
  }
  const line = responseToLine(response, where);
  if (line === undefined) return undefined;
  const when = matchToWhen(match, where);
  return {
    match,
    line: {
      ...line,
      ...(when === undefined ? {} : { when }),
      ...(typeof match.sequenceIndex === 'number' ? { times: 1 } : {}),
      ...timingOf(timing),
    },
  };
}

function timingOf({ latency, chunkSize, streamingProfile }: JsonMap): Partial<ScriptLine> {
  const { ttft, tps } = isMap(streamingProfile) ? streamingProfile : {};
  const paceMs = isPositive(tps) ? 1_000 / tps : isPositive(latency) ? latency : undefined;
  return {
    ...(isPositive(ttft) ? { afterMs: ttft } : {}),
    ...(paceMs === undefined ? {} : { paceMs }),
    ...(isPositive(chunkSize) ? { pieceChars: chunkSize } : {}),
  };
}

function isPositive(value: unknown): value is number {
  return typeof value === 'number' && value > 0;
}

/** Fixtures that match the same are used in the order of their `sequenceIndex`, wherever they are. */
function inSequence(entries: readonly Entry[]): Entry[] {
  const siblings = Map.groupBy(entries, ({ match: { sequenceIndex, ...rest } }) =>
    sequenceIndex === undefined ? undefined : JSON.stringify(rest),
  );
  siblings.delete(undefined);
  const queues = new Map(
    [...siblings].map(([key, group]) => [key, group.toSorted((a, b) => sequenceOf(a) - sequenceOf(b))]),
  );
  return entries.map((entry) => {
    const { sequenceIndex, ...rest } = entry.match;
    return (sequenceIndex === undefined ? undefined : queues.get(JSON.stringify(rest))?.shift()) ?? entry;
  });
}

function sequenceOf({ match: { sequenceIndex } }: Entry): number {
  return typeof sequenceIndex === 'number' ? sequenceIndex : 0;
}

/** A later turn fits from its place on, so that it must be looked at before an earlier one. */
function turnOf({ match: { turnIndex } }: Entry): number {
  return typeof turnIndex === 'number' ? turnIndex : -1;
}

function problem(where: string, what: string, allowed: string, next = 'correct the file'): Problem {
  return new Problem({ code: 'config.bad-value', where, what, allowed, next });
}

/** Undefined for a fixture that matches everything. */
function matchToWhen(match: JsonMap, where: string): unknown {
  const isRead = (key: string): boolean => Object.hasOwn(readers, key);
  const unknown = Object.keys(match).find((key) => !isRead(key) && !elsewhere.has(key));
  if (unknown !== undefined) throw unreadable(where, unknown, match[unknown]);
  const parts = Object.entries(match)
    .filter(([key]) => isRead(key))
    .map(([key, value]) => {
      const part = readers[key]?.(value);
      if (part === undefined) throw unreadable(where, key, value);
      return part;
    });
  if (parts.length === 0) return undefined;
  return parts.length === 1 ? parts[0] : { $all: parts };
}

type Reader = (value: unknown) => object | undefined;

const text =
  (make: (value: string) => object): Reader =>
  (value) =>
    typeof value === 'string' ? make(value) : undefined;

const readers: Readonly<Record<string, Reader>> = {
  userMessage: text((part) => ({ text: { $contains: part } })),
  systemMessage: (value) => {
    const parts = typeof value === 'string' ? [value] : value;
    if (!Array.isArray(parts) || !parts.every((part) => typeof part === 'string')) return undefined;
    return parts.length === 0 ? {} : { system: { $contains: parts } };
  },
  toolCallId: text((id) => ({ results: { $some: { id } } })),
  toolResultContains: text((part) => ({ results: { $some: { text: { $contains: part } } } })),
  toolName: text((name) => ({ tools: { $contains: name } })),
  model: text((model) => ({ model: { $any: [model, { $regex: `^${escaped(model)}-\\d` }] } })),
  responseFormat: text((type) => ({ json: { response_format: { type } } })),
  hasToolResult: (value) =>
    typeof value === 'boolean' ? { results: { $length: value ? { $gte: 1 } : 0 } } : undefined,
  turnIndex: (value) => (typeof value === 'number' ? { turn: { $gte: value } } : undefined),
  context: text((context) => ({ headers: { 'x-aimock-context': context } })),
};

/** Read by the code that orders the lines. */
const elsewhere = new Set(['sequenceIndex', 'endpoint']);

function escaped(source: string): string {
  return source.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function unreadable(where: string, key: string, value: unknown): Problem {
  const what = `\`match.${key}\` is ${printValue(value, 80)}`;
  const allowed = [...Object.keys(readers), ...elsewhere].join(', ');
  return problem(where, what, allowed, 'write the line under `standing`, with a `when`');
}

const mostBytes = 32 * 1024 * 1024;

export async function readAimockFiles(files: readonly string[]): Promise<readonly ScriptLine[]> {
  const lines: ScriptLine[] = [];
  for (const file of files) lines.push(...loadAimockFixtures(await readJson(file), file));
  return lines;
}

async function readJson(file: string): Promise<unknown> {
  try {
    const { size } = await stat(file);
    if (size > mostBytes) throw noFile(file, `it has ${formatSize(size)}`);
    return parseExactJson(await readFile(file, 'utf8'));
  } catch (error) {
    if (error instanceof Problem) throw error;
    const why = errorCode(error) === 'ENOENT' ? 'there is no such file' : (error as Error).message;
    throw noFile(file, why);
  }
}

function noFile(file: string, what: string): Problem {
  return new Problem({
    code: 'config.unreadable',
    where: file,
    what,
    allowed: `a JSON file of aimock fixtures of at most ${formatSize(mostBytes)}`,
    next: 'correct `fixtures` of the model in the config',
  });
}

/** Undefined where it is not an answer of a text model. */
function responseToLine(response: JsonMap, where: string): ScriptLine | undefined {
  if (isMap(response.error)) return { error: errorOf(response, response.error) };
  const blocks = Array.isArray(response.blocks) ? response.blocks.filter(isMap) : [];
  const toolCalls = Array.isArray(response.toolCalls)
    ? response.toolCalls
    : blocks.filter(({ type }) => type === 'toolCall');
  const said = response.content ?? textIn(blocks);
  if (said === undefined && toolCalls.length === 0) return undefined;
  const stop = stopOf(response.finishReason);
  const usage = usageOf(response.usage);
  return {
    ...(typeof response.reasoning === 'string' ? { reasons: response.reasoning } : {}),
    ...(said === undefined ? {} : { says: typeof said === 'string' ? said : JSON.stringify(said) }),
    ...(toolCalls.length === 0
      ? {}
      : { calls: toolCalls.map((call, index) => callOf(call, `${where}, call ${index + 1}`)) }),
    ...defined({ stop, usage }),
  };
}

/** A turn has its text before its calls. */
function textIn(blocks: readonly JsonMap[]): string | undefined {
  const texts = blocks.flatMap(({ type, text }) =>
    type === 'text' && typeof text === 'string' ? [text] : [],
  );
  return texts.length === 0 ? undefined : texts.join('');
}

function errorOf({ status, retryAfter }: JsonMap, { message }: JsonMap): NonNullable<ScriptLine['error']> {
  return {
    status: typeof status === 'number' ? status : 500,
    ...(typeof message === 'string' ? { message } : {}),
    ...(typeof retryAfter === 'number' ? { retryAfter: String(retryAfter) } : {}),
  };
}

function callOf(call: unknown, where: string): ScriptedCall {
  const { name, arguments: given, id } = isMap(call) ? call : {};
  const args = typeof given === 'string' ? exactJsonOr(given.trim() || '{}', undefined) : (given ?? {});
  if (typeof name !== 'string' || !isMap(args))
    throw problem(where, `it is ${printValue(call, 80)}`, '{ "name": "…", "arguments": { … } }');
  return { name, arguments: args, ...(typeof id === 'string' ? { id } : {}) };
}

function stopOf(word: unknown): StopReason | undefined {
  return typeof word === 'string' && Object.hasOwn(stops, word) ? stops[word] : undefined;
}

const stops: Readonly<Record<string, StopReason>> = {
  stop: 'end',
  end_turn: 'end',
  tool_calls: 'tool-calls',
  tool_use: 'tool-calls',
  length: 'length',
  max_tokens: 'length',
  content_filter: 'filter',
};

function usageOf(usage: unknown): Usage | undefined {
  if (!isMap(usage)) return undefined;
  const number = (...names: readonly string[]): number | undefined =>
    names.map((name) => usage[name]).find((value) => typeof value === 'number');
  const input = number('prompt_tokens', 'input_tokens', 'promptTokenCount');
  const output = number('completion_tokens', 'output_tokens', 'candidatesTokenCount');
  return input === undefined || output === undefined ? undefined : { input, output };
}
