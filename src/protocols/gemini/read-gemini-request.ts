/** Reads the request of Gemini's `generateContent`, and names the rules that it breaks. */
import { isMap, type JsonMap } from '../json-rpc/is-map.ts';
import type { ModelRequest, ModelRoute } from '../turn/dialect.ts';
import { createFoldNotes, type FoldNotes, shownValue } from '../turn/fold-notes.ts';
import { judgeGeminiHistory } from './judge-gemini-history.ts';
import { judgeGeminiSignatures } from './judge-gemini-signatures.ts';
import { field, listOf, partsOf, plainMessage, readContents, textOf } from './read-gemini-contents.ts';

const mostCandidates = 8;

export function readGeminiRequest(body: unknown, route: ModelRoute): ModelRequest {
  const notes = createFoldNotes();
  if (!isMap(body)) notes.fault('gemini.request-form', `the body is ${shownValue(body)}, no object`);
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
    notes.fault('gemini.config-form', `\`generationConfig\` is ${shownValue(config)}, no object`);
  return {};
}

/** Several at a time are given whole, not in a stream. */
function readCandidates(count: unknown, { stream }: ModelRoute, notes: FoldNotes): { choices?: number } {
  const most = stream === true ? 1 : mostCandidates;
  if (count === undefined || count === null) return {};
  if (Number.isInteger(count) && (count as number) >= 1 && (count as number) <= most)
    return { choices: count as number };
  const range = most === 1 ? '1 in a stream' : `from 1 to ${most}`;
  notes.fault('gemini.candidates', `\`candidateCount\` is ${shownValue(count)}, not ${range}`);
  return {};
}

function readMaxTokens(most: unknown, notes: FoldNotes): number | null {
  if (most === undefined || most === null) return null;
  if (typeof most === 'number' && Number.isInteger(most) && most >= 1) return most;
  notes.fault('gemini.max-tokens', `\`maxOutputTokens\` is ${shownValue(most)}, no number from 1`);
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
          'gemini.tool-name',
          `a function is named ${shownValue(name)}: letters, digits, _ . : and -, 128 at most`,
        );
        return [];
      }
      if (names.has(name)) notes.fault('gemini.tool-again', `two functions are named ${shownValue(name)}`);
      names.add(name);
      return [{ name, schema: declared.parameters ?? field(declared, 'parametersJsonSchema') }];
    });
}

/** What is cached may hold tools; and of a tool that is neither the provider's nor declares its functions, they are not known. */
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
  notes.fault('gemini.tools-form', `a tool is ${shownValue(tool)} without a list of functions`);
  return [];
}
