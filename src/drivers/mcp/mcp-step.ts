/** A step over MCP: where the server is, how it is reached, and what is asked of it. */
import type { ListKind } from '../../protocols/mcp/eras.ts';
import type { ScriptedClient } from './scripted-client.ts';

export type TransportKind = 'streamable-http' | 'sse' | 'stdio';

export interface McpStep {
  /** A service, reached over HTTP. */
  readonly target?: string;
  /** A program that speaks on its standard input and output. */
  readonly stdio?: readonly string[];
  /** For the program, in addition to what every program gets. */
  readonly env?: Readonly<Record<string, string>>;
  readonly tool?: string;
  readonly args?: unknown;
  readonly list?: ListKind;
  /** Any method; one that begins with `notifications/` is sent as a notification. */
  readonly request?: string;
  readonly params?: unknown;
  readonly transport?: 'auto' | TransportKind;
  readonly path?: string;
  /** Sent with each request of the conversation; they override our own. */
  readonly headers?: Readonly<Record<string, string>>;
  /** The client's side towards a server that asks back. */
  readonly client?: ScriptedClient;
  /** The version of the protocol that is asked for. */
  readonly era?: string;
  /** Greets the server again, and continues with that session. */
  readonly session?: 'new';
}

export function describeStep(step: McpStep): string {
  const server = step.target ?? step.stdio?.join(' ') ?? 'no server';
  if (step.tool !== undefined) return `${server}: call ${step.tool}`;
  if (step.list !== undefined) return `${server}: list ${step.list}`;
  return `${server}: ${step.request ?? 'greet'}`;
}
