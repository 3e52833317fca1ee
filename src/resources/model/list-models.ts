/** The list of models, as each provider gives it. */
import { dialects } from '../../protocols/dialects/dialect-table.ts';
import type { ModelSpec } from '../../system/system.ts';
import type { WireReply, WireRequest } from '../wire/wire-server.ts';
import { isLetIn, keyOf } from './key-of.ts';
import { listPrices } from './prices.ts';
import { noKey, noSuchModel, wrongKey } from './provider-words.ts';
import { headOf, sendRefusal } from './refuse-call.ts';

interface ListSource {
  readonly spec: Pick<ModelSpec, 'models' | 'prices' | 'keys'>;
  /** The environment's own. */
  readonly key: string;
}

/** False where it is not the list, or one of its models, that is asked for. */
export function giveModelList(
  { spec, key }: ListSource,
  wire: WireRequest,
  reply: WireReply,
  requestId: () => string,
): boolean {
  if (wire.method !== 'GET') return false;
  const asked = listPath.exec(wire.path)?.groups;
  if (!asked) return false;
  const one = plainName(asked.one);
  const style = styleOf(asked, wire);
  // What follows there is what a model is to do, or something that belongs to it.
  if (style === 'gemini' && one !== undefined && /[:/]/.test(one)) return false;
  const asker = { dialect: dialects[style], reply, requestId: requestId() };
  const send = (body: unknown): void => reply.send(200, headOf(asker), JSON.stringify(body));
  const given = keyOf(wire, style);
  if (given === undefined) sendRefusal(asker, noKey(style));
  else if (!isLetIn(given, spec, key)) sendRefusal(asker, wrongKey(style));
  else if (one === undefined) send(printList(style, listedModels(spec, style)));
  else if (spec.models?.includes(one) ?? true) send(printModel(style, one));
  else sendRefusal(asker, { status: 404, kind: 'not-found', message: noSuchModel(style, one) });
  return true;
}

/** Below whatever prefix: `/openai/v1/models`, `/openai/models` of Azure, `/v1beta/openai/models` of Google. */
const listPath =
  /^(?:\/[\w.-]+){0,3}?\/(?:(?<version>v\d\w*)\/)?(?<compatible>openai\/)?models(?:\/(?<one>.+))?$/;

/** Names with `:` or `/` come as they are, or escaped. */
function plainName(name: string | undefined): string | undefined {
  try {
    return name && decodeURIComponent(name);
  } catch {
    return name; // then it is no escape
  }
}

function styleOf(
  { version = '', compatible }: Readonly<Record<string, string | undefined>>,
  { headers }: WireRequest,
): ListStyle {
  if (compatible) return 'openai-chat';
  const isGoogle = headers['x-goog-api-key'] !== undefined && headers.authorization === undefined;
  if (version.startsWith('v1beta') || isGoogle) return 'gemini';
  return headers['anthropic-version'] === undefined ? 'openai-chat' : 'anthropic';
}

type ListStyle = 'openai-chat' | 'anthropic' | 'gemini';

/** Where every name exists, those that are known. */
function listedModels({ models, prices }: ListSource['spec'], style: ListStyle): readonly string[] {
  return (models ?? Object.keys({ ...prices, ...listPrices })).filter((model) => isOf(style, model));
}

/** By their names; an unrecognized one may be of any provider. */
const families: readonly (readonly [ListStyle, RegExp])[] = [
  ['anthropic', /^claude/],
  ['gemini', /^(?:gemini|gemma|embedding-001|text-embedding-00\d)/],
  ['openai-chat', /^(?:gpt|chatgpt|codex|o\d|text-embedding|davinci|babbage)/],
];

function isOf(style: ListStyle, model: string): boolean {
  const [family] = families.find(([, names]) => names.test(model)) ?? [];
  return family === undefined || family === style;
}

function printList(style: ListStyle, models: readonly string[]): unknown {
  const printed = models.map((model) => printModel(style, model));
  if (style === 'gemini') return { models: printed };
  if (style === 'openai-chat') return { object: 'list', data: printed };
  return { data: printed, has_more: false, first_id: models[0] ?? null, last_id: models.at(-1) ?? null };
}

function printModel(style: ListStyle, model: string): unknown {
  switch (style) {
    case 'gemini':
      return {
        name: `models/${model}`,
        version: '001',
        displayName: model,
        ...(model.includes('embedding') ? geminiEmbeds : geminiSpeaks),
      };
    case 'anthropic':
      return {
        type: 'model',
        id: model,
        display_name: model,
        created_at: '2025-01-01T00:00:00Z',
        capabilities: null,
        max_input_tokens: null,
        max_tokens: null,
        lifecycle: 'active',
        line: null,
        deprecated_at: null,
        retires_at: null,
      };
    case 'openai-chat':
      return { id: model, object: 'model', created: 1_735_689_600, owned_by: 'shakedown' };
  }
}

/** As its models of today have it. */
const geminiSpeaks = {
  inputTokenLimit: 1_048_576,
  outputTokenLimit: 65_536,
  supportedGenerationMethods: ['generateContent', 'countTokens'],
};
const geminiEmbeds = {
  inputTokenLimit: 2_048,
  outputTokenLimit: 1,
  supportedGenerationMethods: ['embedContent', 'countTokens'],
};
