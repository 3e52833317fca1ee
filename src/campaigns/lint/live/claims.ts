/** What trials and scripts assume about the running system: endpoints, tools, tables; each with its source location. */
import type { McpStep } from '../../../drivers/mcp/mcp-step.ts';
import type { Place } from '../rule.ts';

export interface Claim {
  readonly place: Place;
}

export interface EndpointClaim extends Claim {
  /** `agent`, or `agent.admin`. */
  readonly target: string;
  readonly method: string;
  /** As written, with its query; may hold `${…}`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The trial expects that it does not exist. */
  readonly isMeantToFail: boolean;
}

export interface ToolClaim extends Claim {
  readonly server: McpServer;
  readonly tool: unknown;
  readonly args: unknown;
  readonly isMeantToFail: boolean;
}

/** How a server of tools is reached. */
export type McpServer = Pick<McpStep, 'target' | 'stdio' | 'transport' | 'path' | 'era'> & {
  /** Folder in which its program is started. */
  readonly folder: string;
};

export interface TableClaim extends Claim {
  /** A service, a resource, `*`, or `!health`. */
  readonly service: string;
  readonly table: string;
  readonly columns: readonly { readonly name: string; readonly key: string }[];
}

/** A tool that the script of a model calls. */
export interface ScriptClaim extends Claim {
  /** The service that is asked to call it; `*` for any. */
  readonly caller: string;
  readonly model: string;
  readonly tool: string;
  readonly args: unknown;
}

export interface Claims {
  readonly endpoints: readonly EndpointClaim[];
  readonly tools: readonly ToolClaim[];
  readonly tables: readonly TableClaim[];
  readonly scripts: readonly ScriptClaim[];
  /** Values that flows compute are known only when they run. */
  readonly openFlows: number;
}
