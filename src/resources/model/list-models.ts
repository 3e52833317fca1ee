/** The list of models, as each provider gives it. */
import { dialects } from '../../protocols/turn/dialect-table.ts';
import type { ModelSpec } from '../../system/system.ts';
import type { WireReply, WireRequest } from '../wire/wire-server.ts';
import { isLetIn, keyOf } from './key-of.ts';
import { listPrices } from './prices.ts';
import { noKey, noSuchModel, wrongKey } from './provider-words.ts';
import { jsonHeaders } from './refuse-call.ts';

interface ListSource {
  readonly spec: Pick<ModelSpec, 'models' | 'prices' | 'keys'>;
  /** The environment's own. */
  readonly key: string;
}

/** False where it is not the list, or one of its models, that is asked for. */
export function giveModelList({ spec, key }: ListSource, wire: WireRequest, reply: WireReply): boolean {
  if (wire.method !== 'GET') return false;
  const [, version, one] = /^\/(v\d\w*)\/models(?:\/([^/:]+))?$/.exec(wire.path) ?? [];
  if (version === undefined) return false;
  const style = styleOf(version, wire);
  const models = spec.models ?? Object.keys({ ...spec.prices, ...listPrices });
  const given = keyOf(wire, style);
  const send = (status: number, body: unknown): void =>
    reply.send(status, jsonHeaders(style), JSON.stringify(body));
  const refuse = (status: number, kind: 'authentication' | 'not-found', message: string): void =>
    send(status, dialects[style].printError({ status, kind, message }));
  if (given === undefined) refuse(401, 'authentication', noKey(style));
  else if (!isLetIn(given, spec, key)) refuse(401, 'authentication', wrongKey(style));
  else if (one === undefined) send(200, printList(style, models));
  else if (models.includes(one)) send(200, printModel(style, one));
  else refuse(404, 'not-found', noSuchModel(style, one));
  return true;
}

function styleOf(version: string, { headers }: WireRequest): ListStyle {
  if (version.startsWith('v1beta')) return 'gemini';
  return headers['anthropic-version'] === undefined ? 'openai-chat' : 'anthropic';
}

type ListStyle = 'openai-chat' | 'anthropic' | 'gemini';

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
        displayName: model,
        supportedGenerationMethods: ['generateContent', 'streamGenerateContent'],
      };
    case 'anthropic':
      return { type: 'model', id: model, display_name: model, created_at: '2025-01-01T00:00:00Z' };
    case 'openai-chat':
      return { id: model, object: 'model', created: 1_735_689_600, owned_by: 'shakedown' };
  }
}
