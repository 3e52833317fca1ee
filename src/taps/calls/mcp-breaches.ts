/** Rules of the tool protocol that an exchange breaks, with the version that its session has agreed upon. */
import type { CallBreach, CallFault } from '../../journal/call-event.ts';
import { defined } from '../../kernel/defined.ts';
import { isMap } from '../../kernel/is-map.ts';
import { mediaKind } from '../../protocols/http/media-type.ts';
import type { BodyReading } from '../../protocols/http/read-body.ts';
import { judgeMcpExchange } from '../../protocols/mcp/judge-mcp-exchange.ts';
import { judgeToolCall } from '../../protocols/mcp/tool-schema.ts';
import { callLimits } from './call-limits.ts';
import type { PassingCall } from './passing-call.ts';

const sessionHeader = 'mcp-session-id';

export class McpBreaches {
  /** By session; the oldest go when there are too many. */
  readonly #versions = new Map<string, string>();
  /** By name, as the server has listed them last. */
  readonly #tools = new Map<string, unknown>();

  /** None of what does not look like the tool protocol. */
  judge(call: PassingCall, answer: BodyReading, incomplete: CallFault | undefined): readonly CallBreach[] {
    const { request, response } = call;
    const session = request.headers[sessionHeader];
    const isRpc = call.parts?.[0]?.rpc !== undefined && mediaKind(request.headers['content-type']) === 'json';
    if (!isRpc && session === undefined && request.headers['mcp-protocol-version'] === undefined) return [];
    this.#learn(call);
    const agreedVersion = session === undefined ? undefined : this.#versions.get(session);
    const sent = call.sentEvidence();
    const isWhole = incomplete === undefined && !answer.tooLarge && !sent.tooLarge;
    const ofTool = isWhole ? this.#judgeTool(call) : [];
    const { status, headers } = response ?? {};
    const ofExchange = judgeMcpExchange({
      httpMethod: request.method,
      request: { headers: request.headers, ...sent, bytes: call.requestBody?.bytes ?? 0 },
      ...(status === undefined || headers === undefined
        ? {}
        : { response: { status, headers, ...answer, bytes: call.responseBody?.bytes ?? 0 } }),
      ...(isWhole ? {} : { incomplete: incomplete ?? 'too-large' }),
      ...defined({ agreedVersion }),
    });
    return [...ofExchange, ...ofTool];
  }

  /** Checks a tool's answer against the schema of its server. Not the arguments: a model may have chosen them. */
  #judgeTool({ parts }: PassingCall): readonly CallBreach[] {
    const [part] = parts ?? [];
    const result = part?.said && 'result' in part.said ? part.said.result : undefined;
    if (part?.rpc?.method === 'tools/list' && isMap(result) && Array.isArray(result.tools))
      this.#remember(result);
    if (part?.rpc?.method !== 'tools/call' || result === undefined) return [];
    return judgeToolCall([...this.#tools.values()], part.rpc.params, result).filter(
      ({ by }) => by === 'provider',
    );
  }

  #remember({ tools }: { readonly tools?: unknown }): void {
    for (const tool of Array.isArray(tools) ? tools : [])
      if (isMap(tool) && typeof tool.name === 'string' && this.#tools.size < callLimits.sessions)
        this.#tools.set(tool.name, tool);
  }

  #learn({ parts, response }: PassingCall): void {
    const [part] = parts ?? [];
    const session = response?.headers[sessionHeader];
    const said = part?.rpc?.method === 'initialize' ? part.said : undefined;
    if (session === undefined || said === undefined || !('result' in said) || !isMap(said.result)) return;
    const { protocolVersion } = said.result;
    if (typeof protocolVersion !== 'string') return;
    this.#versions.set(session, protocolVersion);
    const [oldest = ''] = this.#versions.keys();
    if (this.#versions.size > callLimits.sessions) this.#versions.delete(oldest);
  }
}
