/** What the consumer of a tool server does wrong in one exchange. */
import { isMap } from '../../kernel/is-map.ts';
import type { Incoming } from '../json-rpc/message.ts';
import type { ReadMessages } from '../json-rpc/read-messages.ts';
import { allowsBatches, isStateless, namesVersionInHeader } from './eras.ts';
import { breachBy, brokenMessage, type McpBreach, type McpExchange, versionOf } from './mcp-exchange.ts';
import { headerValue, mirrorHeaders } from './stateless-request.ts';

export function judgeConsumer(exchange: McpExchange, sent: ReadMessages | undefined): readonly McpBreach[] {
  // A body that is not whole may break any rule, and so may one of which only the beginning was kept.
  const isWhole = exchange.incomplete === undefined || exchange.request.json !== undefined;
  if (exchange.httpMethod !== 'POST' || sent === undefined || !isWhole) return [];
  const version = exchange.request.headers['mcp-protocol-version'];
  const isBatchWrong = sent.isBatch && version !== undefined && isDate(version) && !allowsBatches(version);
  return [
    ...(isBatchWrong
      ? breach('mcp.batch', `several messages came in one list, which ${version} does not allow`)
      : []),
    ...sent.messages.flatMap((message) => judgeSent(message, exchange)),
  ];
}

const breach = breachBy.consumer;

/** A draft has another name, and may have any rule. */
function isDate(version: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(version);
}

function judgeSent(message: Incoming, exchange: McpExchange): readonly McpBreach[] {
  if (message.kind === 'broken') return brokenMessage('consumer', message);
  if (message.kind === 'result' || message.kind === 'error') return [];
  const { method, params } = message;
  const isRequest = message.kind === 'request';
  const isNoMap = params !== null && params !== undefined && !isMap(params);
  const isNameless = method === 'tools/call' && isMap(params) && typeof params.name !== 'string';
  const shownParams = Array.isArray(params) ? 'a list' : typeof params;
  return [
    ...(isNoMap ? breach('mcp.params', `the \`params\` of ${method} are ${shownParams}, not an object`) : []),
    ...(isRequest && method.startsWith('notifications/')
      ? breach('mcp.notification-id', `the notification ${method} has the id ${JSON.stringify(message.id)}`)
      : []),
    ...(isRequest && isNameless ? breach('mcp.tool-name', 'a tool is called without its name') : []),
    ...judgeHeaders(message, exchange),
  ];
}

/** Notifications over HTTP have no rule for their headers in the stateless era. */
function judgeHeaders(
  message: Extract<Incoming, { readonly kind: 'request' | 'notification' }>,
  exchange: McpExchange,
): readonly McpBreach[] {
  const { method, params } = message;
  const { headers } = exchange.request;
  const version = versionOf(exchange, params);
  if (version === undefined || method === 'initialize' || !isDate(version)) return [];
  if (!isStateless(version)) {
    const isDemanded = exchange.agreedVersion !== undefined && namesVersionInHeader(exchange.agreedVersion);
    return isDemanded && headers['mcp-protocol-version'] === undefined
      ? breach(
          'mcp.version-header',
          `${method} has no \`mcp-protocol-version\`, and ${version} was agreed upon`,
        )
      : [];
  }
  if (message.kind === 'notification') return [];
  return Object.entries(mirrorHeaders(method, params, version)).flatMap(([name, value]) =>
    judgeMirror(name, value, headers[name], method),
  );
}

function judgeMirror(
  name: string,
  wanted: string,
  found: string | undefined,
  method: string,
): readonly McpBreach[] {
  const rule = name === 'mcp-protocol-version' ? 'mcp.version-header' : 'mcp.mirror-header';
  if (found === undefined) return breach(rule, `${method} has no \`${name}\``);
  const isSame = found === wanted || headerValue(found) === wanted;
  return isSame
    ? []
    : breach(rule, `\`${name}\` is ${JSON.stringify(found)}, and the body says ${JSON.stringify(wanted)}`);
}
