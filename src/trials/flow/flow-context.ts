/** What the code of a flow is given, and what that gives back. */
import type { ActError } from '../../drivers/driver.ts';
import type { FlowDocument } from '../document/flow-document.ts';

export type FlowOptions = FlowDocument;

/** A value that a pattern describes: plain data with `$` operators. */
export type Pattern = unknown;

/** `250ms`, `15s`, `2m` */
export type Duration = string;

type Row = Readonly<Record<string, unknown>>;

export interface FlowContext {
  readonly trial: FlowTrial;
  readonly http: (target: string, defaults?: HttpOptions) => HttpDriver;
  readonly mcp: (server: string | McpProgram, defaults?: McpOptions) => McpDriver;
  /** Opens a connection. */
  readonly tcp: (target: string, options?: TcpOptions) => Promise<Connection>;
  readonly command: RunCommand;
  readonly service: (name: string) => ServiceDriver;

  readonly rows: <R = Row>(
    table: string,
    where?: Pattern,
    options?: { readonly columns?: readonly string[]; readonly orderBy?: string },
  ) => Observation<readonly R[]>;
  readonly files: <File = Row>(service: string, options?: FilesOptions) => Observation<readonly File[]>;
  readonly logs: (service: string, options?: { readonly match?: string }) => Observation<readonly LogLine[]>;
  readonly events: <Event = unknown>(
    service: string,
    options: { readonly file: string; readonly where?: Pattern },
  ) => Observation<readonly Event[]>;
  readonly process: (service: string) => Observation<ProcessFacts>;
  /** What crossed an edge: `calls('switchboard -> health')`. */
  readonly calls: <Call = Row>(edge: string, where?: Pattern) => Observation<readonly Call[]>;
  readonly changes: (
    kinds: readonly ('rows' | 'files' | 'calls')[],
  ) => Observation<readonly Readonly<Record<string, unknown>>[]>;

  /** Begins all of them behind one barrier, and gives what each gave. */
  readonly together: <const Work extends readonly (() => unknown)[]>(
    ...work: Work
  ) => Promise<{ -readonly [Index in keyof Work]: Awaited<ReturnType<Work[Index]>> }>;
  /** Waits until every edge is idle. */
  readonly quiet: (options?: { readonly within?: Duration }) => Promise<void>;
  /** The address at which the outside reaches a service, or of another's edge: `gateway -> provider`. */
  readonly url: (service: string) => string;
  /** Hard: the attempt ends here when it does not hold. */
  readonly expect: (value: unknown, pattern: Pattern) => void;
  readonly check: DeclareCheck;
}

export interface FlowTrial {
  readonly id: string;
  /** Unique to this attempt. */
  readonly uid: string;
  readonly seed: string;
  readonly attempt: number;
  readonly case?: Readonly<Record<string, unknown>>;
}

export interface DeclareCheck {
  /** Soft: everything else goes on. An observation that is not awaited is looked at when everything is quiet. */
  (id: string, evidence: unknown, pattern: Pattern, options?: CheckOptions): void;
  /** Opaque: true, or why not. It cannot be judged again. */
  (id: string, decide: () => boolean | string, options?: { readonly title?: string }): void;
}

export interface CheckOptions {
  readonly title?: string;
  /** A pattern for the number of elements; the pattern itself may then be undefined. */
  readonly count?: Pattern;
  /** Of an observation: it must hold at some moment until so long after the flow's end. */
  readonly within?: Duration;
  /** Of an observation: the pattern must match at no moment from here to the end. */
  readonly never?: true;
  /** Of an observation: it must hold at every moment from here to the end. */
  readonly throughout?: true;
  /** For an absence: a trial in which the same source shows something. */
  readonly provenBy?: string;
  /** Of changes: each must be claimed by one of these checks. */
  readonly only?: readonly string[];
}

/** Awaited, it looks now; given to `check`, it is looked at when everything is quiet. */
export interface Observation<Value> extends PromiseLike<Value> {
  /** Looks until it holds, and gives what was seen then. */
  until(pattern: Pattern, options?: { readonly within?: Duration }): Promise<Value>;
}

export interface ActOptions {
  /** The name of the step in the story; `#3` otherwise. */
  readonly as?: string;
  /** How long it may take; `10s` when absent. */
  readonly within?: Duration;
  /** A pattern that its result must match, or the attempt ends here. */
  readonly expect?: Pattern;
  /** An error of the transport is in the result instead of being thrown. */
  readonly mayFail?: boolean;
}

type Texts = Readonly<Record<string, string | number | boolean>>;

export interface HttpOptions extends ActOptions {
  readonly json?: unknown;
  readonly text?: string;
  readonly form?: Texts;
  readonly multipart?: readonly Readonly<Record<'name', string> & Partial<Record<PartKey, string>>>[];
  readonly body?: { readonly file?: string; readonly hex?: string };
  readonly headers?: Texts;
  readonly query?: Texts;
  readonly redirect?: boolean;
}

type PartKey = 'text' | 'file' | 'hex' | 'filename' | 'type';

type HttpCall = <Json = unknown>(path: string, options?: HttpOptions) => Promise<HttpEvidence<Json>>;

export interface HttpDriver {
  readonly get: HttpCall;
  readonly post: HttpCall;
  readonly put: HttpCall;
  readonly patch: HttpCall;
  readonly delete: HttpCall;
  readonly request: <Json = unknown>(
    method: string,
    path: string,
    options?: HttpOptions,
  ) => Promise<HttpEvidence<Json>>;
}

export interface Evidence {
  /** Only where `mayFail` or `expect` let it pass. */
  readonly error?: ActError;
}

export interface HttpEvidence<Json = unknown> extends Evidence {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: Json;
  readonly text?: string;
  readonly events?: readonly Readonly<Record<string, unknown>>[];
  readonly bytes: number;
  readonly durationMs: number;
  readonly redirects?: readonly unknown[];
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
  /** What we are to a server that asks back. */
  readonly client?: McpClientScript;
}

export interface McpClientScript {
  readonly roots?: readonly (string | { readonly uri: string; readonly name?: string })[];
  /** One for every question, or a list for one after the other. */
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
  /** Absent where a tool has not answered yet: it asks back, or goes on as a task. */
  readonly isError?: boolean;
  readonly result: Result;
  readonly content?: readonly unknown[];
  readonly rpcError?: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly tools?: readonly Readonly<Record<string, unknown>>[];
  /** What the server asked of us, and what it was answered. */
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

export interface TcpOptions extends ActOptions {
  /** `hex6-sexp`, `newline-json`, `content-length-json`, or a module such as `./my-codec.ts`. */
  readonly codec?: string;
}

export interface ReceiveOptions extends ActOptions {
  /** Wait for so many messages; without a codec, bytes. */
  readonly receive?: number;
}

export interface Connection {
  /** A message of the codec; without one, a text. What comes back from now on is in the result. */
  send(message: unknown, options?: ReceiveOptions): Promise<ConnectionEvidence>;
  /** Bytes, past the codec: `{ text }`, `{ hex }`, `{ file }`, `{ repeat, bytes }`, with `pause` and `then`; or a list. */
  sendRaw(bytes: unknown, options?: ReceiveOptions): Promise<ConnectionEvidence>;
  /** Waits until all that was heard since it was opened, `{ received, closedBy, … }`, looks like this. */
  until(pattern: Pattern, options?: { readonly within?: Duration }): Promise<ConnectionEvidence>;
  close(how?: 'full' | 'half' | 'reset', options?: ActOptions): Promise<ConnectionEvidence>;
  /** Every message by now: as of the last answer. */
  readonly received: readonly unknown[];
}

export interface ConnectionEvidence extends Evidence {
  readonly connected: boolean;
  readonly received: readonly unknown[];
  readonly raw?: string;
  readonly closedBy?: 'peer' | 'us' | 'reset';
  readonly broken?: string;
  readonly bytesSent: number;
  readonly bytesReceived: number;
}

export interface CommandOptions extends ActOptions {
  readonly stdin?: string;
  readonly env?: Texts;
  /** Relative to the flow's file. */
  readonly cwd?: string;
}

export interface RunCommand {
  /** It goes on, and is ended with the attempt. */
  (argv: string | readonly string[], options: CommandOptions & { readonly stays: true }): Promise<Program>;
  (argv: string | readonly string[], options?: CommandOptions): Promise<CommandEvidence>;
}

export interface CommandEvidence extends Evidence {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly json?: unknown;
  readonly durationMs: number;
}

export interface Program {
  send(text: string, options?: ActOptions): Promise<CommandEvidence>;
  signal(name: string, options?: ActOptions): Promise<CommandEvidence>;
  /** Ends its input. */
  end(options?: ActOptions): Promise<CommandEvidence>;
  /** Waits until it has ended. */
  exited(options?: ActOptions): Promise<CommandEvidence>;
  /** Waits until all that it printed, `{ stdout, stderr, exitCode, signal }`, looks like this. */
  until(pattern: Pattern, options?: { readonly within?: Duration }): Promise<CommandEvidence>;
  /** As of the last answer. */
  readonly stdout: string;
  readonly stderr: string;
}

type ServiceAct = (options?: ActOptions) => Promise<Readonly<Record<string, unknown>>>;

export interface ServiceDriver {
  readonly restart: ServiceAct;
  readonly stop: ServiceAct;
  readonly start: ServiceAct;
  readonly kill: ServiceAct;
}

export interface LogLine {
  readonly line: number;
  readonly text: string;
}

export interface FilesOptions {
  readonly path?: string;
  readonly as?: 'text' | 'json' | 'yaml' | 'markdown' | 'xml' | 'image' | 'hash';
  readonly where?: Pattern;
}

export interface ProcessFacts {
  readonly running: boolean;
  readonly pid: number | null;
  readonly restarts: number | null;
  readonly rss: number | null;
  readonly rssGrowth: number | null;
  readonly fds: number | null;
  readonly fdGrowth: number | null;
  readonly children: readonly { readonly argv: readonly string[] }[] | null;
}
