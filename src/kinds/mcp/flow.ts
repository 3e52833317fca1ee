/** `mcp` in a flow. */
import { type ActOptions, type Evidence, type FlowSteps, mergedOptions } from '../kind/flow-method.ts';
import type { Spec } from '../kind/step-kind.ts';

export interface McpFlow {
  readonly mcp: (server: string | McpProgram, defaults?: McpOptions) => McpDriver;
}

/** An MCP server that is started for the attempt. */
export interface McpProgram {
  readonly stdio: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

export interface McpOptions extends ActOptions {
  readonly transport?: 'auto' | 'streamable-http' | 'sse' | 'stdio';
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly era?: string;
  readonly session?: 'new';
  /** How we answer a server that sends requests to its client. */
  readonly client?: McpClientScript;
}

export interface McpClientScript {
  readonly roots?: readonly (string | { readonly uri: string; readonly name?: string })[];
  /** One answer for every request, or a list used in order. */
  readonly sampling?: McpSampled | readonly McpSampled[];
  readonly elicitation?: McpElicited | readonly McpElicited[];
  readonly capabilities?: Readonly<Record<string, unknown>>;
}

type McpSampled = string | Readonly<Record<string, unknown>>;
type McpElicited =
  | 'accept'
  | 'decline'
  | 'cancel'
  | {
      readonly action: 'accept' | 'decline' | 'cancel';
      readonly content?: Readonly<Record<string, unknown>>;
    };

export interface McpDriver {
  readonly call: <Result = unknown>(
    tool: string,
    args?: Readonly<Record<string, unknown>>,
    options?: McpOptions,
  ) => Promise<McpEvidence<Result>>;
  readonly list: (what: 'tools' | 'resources' | 'prompts', options?: McpOptions) => Promise<McpEvidence>;
  readonly request: <Result = unknown>(
    method: string,
    params?: unknown,
    options?: McpOptions,
  ) => Promise<McpEvidence<Result>>;
}

export interface McpEvidence<Result = unknown> extends Evidence {
  /** Absent while a tool has not answered: it sent a request of its own, or continues as a task. */
  readonly isError?: boolean;
  readonly result: Result;
  readonly content?: readonly unknown[];
  readonly rpcError?: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  /** The server's requests to us, and our answers. */
  readonly requests: readonly {
    readonly method: string;
    readonly params?: unknown;
    readonly result?: unknown;
    readonly error?: unknown;
  }[];
  readonly notifications: readonly { readonly method: string; readonly params?: unknown }[];
  readonly anomalies: readonly string[];
  readonly protocolVersion?: string;
  readonly durationMs: number;
}

export function mcpFlow({ act }: FlowSteps): McpFlow {
  return {
    mcp: (server, defaults = {}) => {
      const ask = async <Result>(spec: Spec, options: McpOptions = {}): Promise<McpEvidence<Result>> =>
        act({ mcp: server, ...spec }, mergedOptions(defaults, options));
      return {
        call: (tool, args, options) => ask({ tool, args }, options),
        list: (what, options) => ask({ list: what }, options),
        request: (method, params, options) => ask({ request: method, params }, options),
      };
    },
  };
}
