/** One chat completion, from admission to the end of the answer. */
import type { Log } from '../service/log.ts';
import { readJson } from '../service/read-body.ts';
import { requestIdOf } from '../service/request-id.ts';
import type { Visit } from '../service/serve.ts';
import type { JsonObject } from '../wire/json.ts';
import { admit, checkChatRequest, identify, resolveModel } from './admission.ts';
import type { GatewaySettings } from './gateway-settings.ts';
import type { RateLimit } from './rate-limit.ts';
import { relayStream, relayWhole } from './relay.ts';
import { tryTargets } from './try-targets.ts';
import { faultOf } from './upstream-fault.ts';
import type { UsageLedger } from './usage-ledger.ts';

export interface GatewayParts {
  readonly settings: GatewaySettings;
  readonly rate: RateLimit;
  readonly ledger: UsageLedger;
  readonly log: Log;
}

export async function completeChat({ request, response, gone }: Visit, parts: GatewayParts): Promise<void> {
  const { settings, ledger, log } = parts;
  const requestId = requestIdOf(request);
  response.setHeader('x-request-id', requestId);
  const agent = identify(request, settings);
  admit(agent, parts.rate);
  const body = await readJson(request);
  checkChatRequest(body);
  const targets = resolveModel(String(body.model), agent, settings);
  const about = { request_id: requestId, agent: agent.name };
  log.info('admitted', { ...about, model: String(body.model) });

  const count = (usage: JsonObject | undefined): void => ledger.add(agent.name, usage);
  const relay = body.stream === true ? relayStream(response, body, count) : relayWhole(response, count);
  const isGone = (): boolean => gone.aborted || response.destroyed;
  try {
    const question = { body, requestId, gone };
    await tryTargets({ targets, question, settings, log, isGone, relay });
    log.info('answered', about);
  } catch (error) {
    if (isGone()) return log.info('client went away', about);
    const fault = faultOf(error);
    log.warn('failed', { ...about, type: fault.type });
    relay.fail(fault);
  }
}
