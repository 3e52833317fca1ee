/**
 * The butler's own tools as its model calls them: over MCP, through the public endpoint, like any client. `_meta` of a call
 * has the trace, and the session in whose transaction the tool writes.
 */
import type { Client } from '@modelcontextprotocol/sdk/client/index.js';
import type { TraceContext } from '../daemon/trace.ts';
import { connectMcp, type McpAddress } from '../mcp/client.ts';
import type { ToolOutcome } from '../model/conversation.ts';
import type { ToolUseBlock } from '../model/messages.ts';

export const sessionKey = 'butlers/session';

export interface OwnTools {
  call(
    tool: Pick<ToolUseBlock, 'name' | 'input'>,
    session: string,
    trace: TraceContext,
  ): Promise<ToolOutcome>;
}

const answerWithinMs = 30_000;

export function openOwnTools(address: McpAddress, butler: string): OwnTools {
  let kept: Promise<Client> | undefined;
  return {
    async call({ name, input }, session, { traceparent }) {
      kept ??= connectMcp(address, butler);
      const line = kept;
      try {
        const client = await line;
        const parameters = { name, arguments: input, _meta: { traceparent, [sessionKey]: session } };
        const result = await client.callTool(parameters, undefined, { timeout: answerWithinMs });
        const [first] = result.content as readonly { readonly text?: string }[];
        return { ok: !result.isError, result: first?.text ?? '' };
      } catch (error) {
        // The next call opens a new connection; this session fails as a whole, and nothing of it is kept.
        kept = undefined;
        void line.then((client) => client.close()).catch(() => undefined); // a broken connection cannot be closed properly
        throw error;
      }
    },
  };
}
