/** The context that the code of a flow receives: the methods of every kind, and its own. */
import type { CallsFlow } from '../../kinds/calls/check.ts';
import type { ChangesFlow } from '../../kinds/changes/check.ts';
import type { CommandFlow } from '../../kinds/command/flow.ts';
import type { EventsFlow } from '../../kinds/events/check.ts';
import type { FilesFlow } from '../../kinds/files/check.ts';
import type { HttpFlow } from '../../kinds/http/flow.ts';
import type {
  ActOptions,
  Duration,
  Evidence,
  Observation,
  Pattern,
  Row,
} from '../../kinds/kind/flow-method.ts';
import type { LogsFlow } from '../../kinds/logs/check.ts';
import type { McpFlow } from '../../kinds/mcp/flow.ts';
import type { ProcessFlow } from '../../kinds/process/check.ts';
import type { QuietFlow } from '../../kinds/quiet/flow.ts';
import type { RedisFlow } from '../../kinds/redis/check.ts';
import type { RowsFlow } from '../../kinds/rows/check.ts';
import type { ServiceFlow } from '../../kinds/service/flow.ts';
import type { SpansFlow } from '../../kinds/spans/check.ts';
import type { TcpFlow } from '../../kinds/tcp/flow.ts';
import type { FlowDocument } from '../document/flow-document.ts';

export type FlowOptions = FlowDocument;

/** What a flow can do to the system. */
export type Acts = HttpFlow & McpFlow & TcpFlow & CommandFlow & ServiceFlow & QuietFlow;

/** What it can observe. */
export type Observations = RowsFlow &
  RedisFlow &
  FilesFlow &
  LogsFlow &
  EventsFlow &
  ProcessFlow &
  CallsFlow &
  SpansFlow &
  ChangesFlow;

/**
 * The methods that your plugins bring. Declare them where you use them:
 * `declare module 'shakedown' { interface PluginMethods { publish: PluginAct } }`.
 */
// biome-ignore lint/suspicious/noEmptyInterface: users add to it
export interface PluginMethods {}

/** A step of a plugin: the value under its key, and its other keys. */
export type PluginAct<Result = Row> = (
  value: unknown,
  options?: ActOptions & Readonly<Record<string, unknown>>,
) => Promise<Result & Evidence>;

/** A check of a plugin, likewise. */
export type PluginLook<Value = readonly Row[]> = (
  value: unknown,
  options?: Readonly<Record<string, unknown>>,
) => Observation<Value>;

export interface FlowContext extends PluginMethods, Acts, Observations {
  readonly trial: FlowTrial;
  /** Begins all of them behind one barrier, and resolves to the result of each. */
  readonly together: <const Work extends readonly (() => unknown)[]>(
    ...work: Work
  ) => Promise<{ -readonly [Index in keyof Work]: Awaited<ReturnType<Work[Index]>> }>;
  /** The address of a service as reached from outside, or of an edge: `gateway -> provider`. */
  readonly url: (service: string) => string;
  /** Hard assertion: the attempt ends here when it does not hold. */
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
  /** Soft assertion: the flow continues. An observation that is not awaited is sampled when everything is quiet. */
  (id: string, evidence: unknown, pattern: Pattern, options?: CheckOptions): void;
  /** An opaque verdict: true, or the reason for failure. It cannot be judged again. */
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
