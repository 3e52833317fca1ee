/** Admission: key, rate and model are checked before any provider is asked. */
import type { IncomingMessage } from 'node:http';
import { hasDefect } from '../defects.ts';
import { Refusal } from '../service/refusal.ts';
import type { JsonObject } from '../wire/json.ts';
import type { Agent, GatewaySettings } from './gateway-settings.ts';
import type { RateLimit } from './rate-limit.ts';

/** A model of a provider. */
export interface Target {
  readonly provider: string;
  readonly model: string;
}

export function identify(request: IncomingMessage, { agents }: GatewaySettings): Agent {
  const key = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const agent = agents.get(key) ?? (hasDefect('keys-not-checked') ? [...agents.values()][0] : undefined);
  if (!agent) throw new Refusal(401, 'invalid_api_key', key === '' ? 'a key is needed' : 'no such key');
  return agent;
}

export function admit(agent: Agent, rate: RateLimit): void {
  const waitMs = hasDefect('rate-not-limited') ? 0 : rate.take(agent);
  if (waitMs === 0) return;
  const seconds = String(Math.ceil(waitMs / 1_000));
  throw new Refusal(429, 'rate_limit_exceeded', `${agent.name} asks too often`, { 'retry-after': seconds });
}

export function checkChatRequest(body: JsonObject): void {
  const wrong = (what: string) => new Refusal(400, 'invalid_request_error', what);
  if (typeof body.model !== 'string' || body.model === '') throw wrong('model must be a text');
  if (!Array.isArray(body.messages) || body.messages.length === 0) throw wrong('messages must be a list');
  if (body.stream !== undefined && typeof body.stream !== 'boolean')
    throw wrong('stream must be true or false');
  if (body.tools !== undefined && !Array.isArray(body.tools)) throw wrong('tools must be a list');
}

/** The targets of a model or alias in the order in which they are tried. */
export function resolveModel(wanted: string, agent: Agent, settings: GatewaySettings): readonly Target[] {
  const names = modelsBehind(wanted, settings);
  if (!names) throw new Refusal(404, 'model_not_found', `there is no model ${wanted}`);
  if (!mayUse(agent, wanted))
    throw new Refusal(403, 'model_not_allowed', `${agent.name} may not use ${wanted}`);
  return names.map((name) => {
    const at = name.indexOf(':');
    return { provider: name.slice(0, at), model: name.slice(at + 1) };
  });
}

function modelsBehind(wanted: string, { aliases, models }: GatewaySettings): readonly string[] | undefined {
  if (hasDefect('wrong-alias') && wanted === 'fast') return aliases.careful;
  if (Object.hasOwn(aliases, wanted)) return aliases[wanted];
  return models.includes(wanted) ? [wanted] : undefined;
}

export function mayUse(agent: Agent, wanted: string): boolean {
  return agent.allow.some((allowed) => {
    if (allowed.endsWith('*')) return wanted.startsWith(allowed.slice(0, -1));
    return hasDefect('prefix-too-wide') ? wanted.startsWith(allowed) : wanted === allowed;
  });
}
