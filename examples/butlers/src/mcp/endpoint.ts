/** The HTTP paths under which a daemon offers its tools, in one of MCP's two HTTP transports. */
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import type { Handler } from '../daemon/serve.ts';
import type { Transport } from '../manifest.ts';

type Routes = Readonly<Record<string, Handler>>;

/**
 * The first caller loads the code of the protocol: it is four fifths of what a daemon would load, and most butlers are
 * idle most of the time.
 */
export function mcpRoutes(transport: Transport, loadServer: () => Promise<() => McpServer>): Routes {
  const load = async (): Promise<Routes> => {
    const createServer = await loadServer();
    if (transport === 'sse') return (await import('./legacy-sse.ts')).legacySse(createServer);
    return (await import('./streamable-http.ts')).streamableHttp(createServer);
  };
  let loaded: Promise<Routes> | undefined;

  const paths = transport === 'sse' ? ['/sse', '/messages'] : ['/mcp'];
  const handlerOf = (path: string): Handler => {
    return async (request, response) => {
      loaded ??= load();
      await (await loaded)[path]?.(request, response);
    };
  };
  return Object.fromEntries(paths.map((path) => [path, handlerOf(path)]));
}
