/** Reads the request of Gemini's `generateContent`, and names the rules that it breaks. */
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { ModelRequest, ModelRoute } from '../turn/dialect.ts';
import { createFoldNotes, type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import { isSealOfBytes, sealRule } from '../turn/seal.ts';
import type { WireFault } from '../turn/turn.ts';
import {
  type Content,
  field,
  listOf,
  partsOf,
  plainMessage,
  readContents,
  textOf,
} from './read-gemini-contents.ts';

const mostCandidates = 8;

export function readGeminiRequest(body: unknown, route: ModelRoute): ModelRequest {
  const notes = createFoldNotes('gemini');
  if (!isMap(body)) notes.fault('request-form', `the body is ${shownValue(body)}, not an object`);
  const request = isMap(body) ? body : {};
  const contents = readContents(request.contents, notes);
  const config = readConfig(field(request, 'generationConfig'), notes);
  return {
    model: route.model ?? null,
    stream: route.stream === true,
    wantsUsage: true,
    wantsSeals: true,
    ...readCandidates(field(config, 'candidateCount'), route, notes),
    system: textOf(partsOf(field(request, 'systemInstruction'))),
    messages: contents.map(plainMessage),
    tools: readTools(request.tools, notes),
    ...(offersMore(request) ? { mayOfferMore: true } : {}),
    maxTokens: readMaxTokens(field(config, 'maxOutputTokens'), notes),
    faults: notes.faults,
    historyFaults: [...judgeGeminiHistory(contents), ...judgeGeminiSignatures(contents, route.model ?? '')],
  };
}

function readConfig(config: unknown, notes: FoldNotes): JsonMap {
  if (isMap(config)) return config;
  if (config !== undefined && config !== null)
    notes.fault('config-form', `\`generationConfig\` is ${shownValue(config)}, not an object`);
  return {};
}

/** Several at a time are given whole, not in a stream. */
function readCandidates(count: unknown, { stream }: ModelRoute, notes: FoldNotes): { choices?: number } {
  const most = stream === true ? 1 : mostCandidates;
  if (count === undefined || count === null) return {};
  if (Number.isInteger(count) && (count as number) >= 1 && (count as number) <= most)
    return { choices: count as number };
  const range = most === 1 ? '1 in a stream' : `from 1 to ${most}`;
  notes.fault('candidates', `\`candidateCount\` is ${shownValue(count)}, not ${range}`);
  return {};
}

function readMaxTokens(most: unknown, notes: FoldNotes): number | null {
  if (most === undefined || most === null) return null;
  if (typeof most === 'number' && Number.isInteger(most) && most >= 1) return most;
  notes.fault('max-tokens', `\`maxOutputTokens\` is ${shownValue(most)}, not a number from 1`);
  return null;
}

type Tools = ModelRequest['tools'];

function readTools(tools: unknown, notes: FoldNotes): Tools {
  if (tools === undefined || tools === null) return [];
  const list: readonly unknown[] = Array.isArray(tools) ? tools : [tools];
  const names = new Set<string>();
  return list
    .flatMap((tool) => declarationsOf(tool, notes))
    .flatMap((declared) => {
      const { name } = declared;
      if (typeof name !== 'string' || !/^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/.test(name)) {
        notes.fault(
          'tool-name',
          `a function is named ${shownValue(name)}: letters, digits, _ . : and -, 128 at most`,
        );
        return [];
      }
      if (names.has(name)) notes.fault('tool-again', `two functions are named ${shownValue(name)}`);
      names.add(name);
      return [{ name, schema: declared.parameters ?? field(declared, 'parametersJsonSchema') }];
    });
}

/** Cached content may contain tools; the functions of a tool that is not built in and declares none are unknown. */
function offersMore(request: JsonMap): boolean {
  const tools: readonly unknown[] = Array.isArray(request.tools) ? request.tools : [request.tools];
  return (
    field(request, 'cachedContent') != null ||
    tools.some((tool) => isMap(tool) && !Object.keys(tool).every((key) => known.test(key)))
  );
}

const known =
  /^(?:function_?declarations|google_?search|google_?maps|code_?execution|url_?context|file_?search|enterprise_?web|retrieval)/i;

/** Tools that the provider runs itself declare no functions. */
function declarationsOf(tool: unknown, notes: FoldNotes): readonly JsonMap[] {
  const declared = isMap(tool) ? listOf(field(tool, 'functionDeclarations') ?? []) : undefined;
  if (Array.isArray(declared) && declared.every(isMap)) return declared;
  notes.fault('tools-form', `a tool is ${shownValue(tool)} without a list of functions`);
  return [];
}

/** Google gives them out for histories that come from elsewhere. */
const wildcards: readonly string[] = [
  'context_engineering_is_the_way_to_go',
  'skip_thought_signature_validator',
];

/** As they are, or as bytes, which its SDKs write as base64. */
function isWildcard(signature: unknown): boolean {
  if (typeof signature !== 'string') return false;
  return [signature, Buffer.from(signature, 'base64').toString()].some((text) => wildcards.includes(text));
}

/** From the third generation on, the first call of each step since the user last spoke must have one. */
function judgeGeminiSignatures(contents: readonly Content[], model: string): readonly WireFault[] {
  const notes = createFoldNotes('gemini');
  const turns = turnsOf(contents);
  const asked = turns.findLastIndex(({ role, parts }) => role === 'user' && parts.some(({ text }) => text));
  const mustHave = /gemini-(?:[3-9]|\d\d)/.test(model);
  for (const [at, { parts, path }] of turns.entries()) {
    const call = parts.find((part) => field(part, 'functionCall') !== undefined);
    if (mustHave && at > asked && call !== undefined && field(call, 'thoughtSignature') === undefined)
      notes.fault(
        'no-signature',
        `Function call is missing a thought_signature in functionCall parts of \`${path}\`. This is required for tools to work correctly, and missing thought_signature may lead to degraded model performance.`,
      );
    for (const part of parts) {
      const signature = field(part, 'thoughtSignature');
      if (signature !== undefined && !isWildcard(signature) && !isSealOfBytes(signature))
        notes.fault(sealRule, `Corrupted thought signature. \`${path}\` has ${shownValue(signature)}`);
    }
  }
  return notes.faults;
}

function judgeGeminiHistory(contents: readonly Content[]): readonly WireFault[] {
  const notes = createFoldNotes('gemini');
  for (const { role, parts, calls, results, path } of contents) {
    if (parts.some((part) => Object.keys(part).length === 0))
      notes.fault('empty-part', `\`${path}\` has a part without data`);
    if (results.some(({ response }) => response != null && !isMap(response)))
      notes.fault('result-form', `\`${path}\` answers a function with something that is not an object`);
    if (parts.length === 0) notes.fault('empty-content', `\`${path}\` has no parts`);
    if (calls.length > 0 && role !== 'model')
      notes.fault('part-role', `\`${path}\` is of the user and calls a function`);
  }
  const turns = turnsOf(contents);
  for (const [at, turn] of turns.entries()) {
    const { calls, results, path } = turn;
    const before = turns[at - 1];
    if (calls.length > 0 && before?.role !== 'user')
      notes.fault(
        'call-place',
        `\`${path}\` calls a function, and no content of the user or of a function is before it`,
      );
    if (results.length > 0 && (before === undefined || before.calls.length === 0))
      notes.fault(
        'result-without-call',
        `\`${path}\` answers a function, and the content before it calls none`,
      );
    if (calls.length > 0) judgeAnswers(turn, turns[at + 1], notes);
  }
  return notes.faults;
}

/** Contents of the model in a row are one turn: a client that streams may keep one content for each chunk. */
function turnsOf(contents: readonly Content[]): readonly Content[] {
  const turns: Content[] = [];
  for (const content of contents) {
    const last = turns.at(-1);
    if (last?.role !== 'model' || content.role !== 'model') turns.push(content);
    else
      turns[turns.length - 1] = {
        ...last,
        parts: [...last.parts, ...content.parts],
        calls: [...last.calls, ...content.calls],
      };
  }
  return turns;
}

/** The next turn answers all calls, each once; by which name or id, the provider does not compare. */
function judgeAnswers({ calls, path }: Content, next: Content | undefined, notes: FoldNotes): void {
  const results = next?.results ?? [];
  if (results.length === calls.length) return;
  notes.fault(
    results.length < calls.length ? 'call-without-result' : 'result-without-call',
    `\`${path}\` calls ${calls.length} functions, and the next turn answers ${results.length}`,
  );
}
