/** What trials and scripts take for granted of the running system: endpoints, tools, tables; each with the place that says so. */
import type { McpStep } from '../../../drivers/mcp/mcp-step.ts';
import type { Trial } from '../../../trials/trial.ts';
import type { LintPlace } from '../place-of-part.ts';

export interface Claim {
  /** Absent for lines that stand in the config. */
  readonly trial?: Trial;
  readonly check?: string;
  readonly place: LintPlace;
}

export interface EndpointClaim extends Claim {
  /** `agent`, or `agent.admin`. */
  readonly target: string;
  readonly method: string;
  /** As written, with its query; may hold `${…}`. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  /** The trial expects that there is no such thing. */
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
  /** Folder in which a program is started. */
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
  /** The service that is told to call it; `*` for any. */
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
  /** What flows say in other than plain words is known only when they run. */
  readonly openFlows: number;
}
