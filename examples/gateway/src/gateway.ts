/** The gateway: agents ask it for chat completions, it asks the providers. */
import { identify, mayUse } from './gateway/admission.ts';
import { completeChat, type GatewayParts } from './gateway/complete-chat.ts';
import { readGatewaySettings } from './gateway/gateway-settings.ts';
import { createRateLimit } from './gateway/rate-limit.ts';
import { createUsageLedger } from './gateway/usage-ledger.ts';
import { sendJson, serve, type Visit } from './service/serve.ts';

await serve('gateway', (env, log) => {
  const settings = readGatewaySettings(env);
  const parts: GatewayParts = { settings, rate: createRateLimit(), ledger: createUsageLedger(), log };
  return {
    'POST /v1/chat/completions': (visit) => completeChat(visit, parts),
    'GET /v1/models': (visit) => listModels(visit, parts),
    'GET /usage': (visit) => tellUsage(visit, parts),
  };
});

/** Those that this agent may use. */
function listModels({ request, response }: Visit, { settings }: GatewayParts): void {
  const agent = identify(request, settings);
  const names = [...Object.keys(settings.aliases), ...settings.models].filter((name) => mayUse(agent, name));
  const data = names.map((id) => ({ id, object: 'model', created: 0, owned_by: 'gateway' }));
  sendJson(response, 200, { object: 'list', data });
}

function tellUsage({ request, response }: Visit, { settings, ledger }: GatewayParts): void {
  const agent = identify(request, settings);
  sendJson(response, 200, { agent: agent.name, ...ledger.of(agent.name) });
}
