/** Which rules of JSON-RPC and MCP an exchange over HTTP breaks, and which side did. Arguable cases do not count. */
import type { Incoming } from '../json-rpc/message.ts';
import type { ReadMessages } from '../json-rpc/read-messages.ts';
import { judgeConsumer } from './judge-consumer.ts';
import { judgeProvider } from './judge-provider.ts';
import { type McpBreach, type McpExchange, readBody } from './mcp-exchange.ts';

/** Reported per exchange. */
const mostBreaches = 20;

/** None for an exchange that does not show that it is MCP at all. */
export function judgeMcpExchange(exchange: McpExchange): readonly McpBreach[] {
  const sent = exchange.httpMethod === 'POST' ? readBody(exchange.request) : undefined;
  if (!isMcp(exchange, sent)) return [];
  const breaches = [...judgeConsumer(exchange, sent), ...judgeProvider(exchange, sent)];
  return breaches.slice(0, mostBreaches);
}

const methods =
  /^(?:initialize|ping|(?:tools|resources|prompts|completion|logging|sampling|roots|elicitation|tasks|subscriptions|notifications|server)\/[a-z_/]+)$/;

function isMcp({ request }: McpExchange, sent: ReadMessages | undefined): boolean {
  const { headers } = request;
  if (headers['mcp-protocol-version'] !== undefined || headers['mcp-session-id'] !== undefined) return true;
  return sent?.messages.some(isMcpCall) ?? false;
}

function isMcpCall(message: Incoming): boolean {
  return (message.kind === 'request' || message.kind === 'notification') && methods.test(message.method);
}
