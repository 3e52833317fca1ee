/** The messages between a flow's process and its performer: plain JSON on the channel between them. */
import type { ProblemData } from '../../kernel/problem.ts';
import type { PluginDescription } from '../../plugins/description.ts';
import type { RawMap } from '../read/placed.ts';
import type { FlowTrial } from './flow-context.ts';

export type ToFlow =
  /** The first message: the variables of the host. */
  | { readonly say: 'variables'; readonly env: Readonly<Record<string, string | undefined>> }
  | { readonly say: 'list'; readonly file: string }
  | {
      readonly say: 'perform';
      readonly file: string;
      readonly index: number;
      readonly trial: FlowTrial;
      /** The address of each service from outside. */
      readonly urls: Readonly<Record<string, string>>;
      /** Their kinds are methods of the flow. */
      readonly plugins: readonly PluginDescription[];
      /** Of a replay: its clock is moved by so much with every answer. */
      readonly slowMs?: number;
    }
  | Answer;

export type FromFlow =
  | { readonly say: 'flows'; readonly flows: readonly FoundFlow[] }
  | { readonly say: 'broken'; readonly problem: ProblemData }
  /** The flow begins now; these observers compare with the state before. */
  | { readonly say: 'begins'; readonly watches: readonly string[] }
  /** The acts of one message begin behind one barrier. */
  | { readonly say: 'asks'; readonly asks: readonly Ask[] }
  | { readonly say: 'check'; readonly check: Declaration }
  | { readonly say: 'ended'; readonly failure?: FlowFailure };

/** A call of `flow(…)` in a file. */
export interface FoundFlow {
  readonly title: unknown;
  /** Absent when there are none. */
  readonly options?: unknown;
  /** Why they are not plain data. */
  readonly oddity?: string;
  readonly hasBody: boolean;
  readonly line: number;
  readonly column: number;
}

export type Ask = { readonly id: number; readonly line: number } & FlowRequest;

export type FlowRequest =
  | { readonly do: 'act'; readonly kind: string; readonly spec: RawMap; readonly settings: ActSettings }
  | { readonly do: 'look'; readonly watched: Watched }
  | {
      readonly do: 'until';
      readonly watched: Watched;
      readonly pattern: unknown;
      readonly within: string | undefined;
    }
  /** Of a replay only: the code has called `fetch`. */
  | { readonly do: 'fetch'; readonly method: string; readonly url: string };

export interface ActSettings {
  readonly as?: string;
  readonly within?: string;
  readonly expect?: unknown;
  /** An error of the transport is evidence, not the end. */
  readonly mayFail?: boolean;
}

/** What is observed, as in a YAML check: `{ rows: 'health.symptoms', where: … }`. */
export interface Watched {
  readonly kind: string;
  readonly raw: RawMap;
}

export type Answer = { readonly say: 'answer'; readonly id: number } & (
  | {
      readonly value: unknown;
      readonly origin?: Origin;
      /** The name under which the connection stays open, with all that was received on it so far. */
      readonly connection?: string;
      readonly soFar?: unknown;
    }
  /** It was tried and failed. */
  | { readonly fault: string }
  /** It cannot be done at all: unknown service, unknown option. */
  | { readonly mistake: string }
);

/** The origin of a value: the result of a step, or a sample in the journal. */
export type Origin = { readonly step: string } | { readonly looked: Watched; readonly at: number };

/** A declared check: its evidence, and what must be true of it. */
export interface Declaration {
  readonly id: string;
  readonly line: number;
  readonly title?: string;
  readonly evidence: DeclaredEvidence;
  readonly expect?: unknown;
  readonly count?: unknown;
  readonly within?: string;
  readonly never?: boolean;
  readonly throughout?: boolean;
  readonly provenBy?: string;
  readonly only?: readonly string[];
}

export type DeclaredEvidence =
  | { readonly value: unknown; readonly origin?: Origin }
  | { readonly watched: Watched }
  | { readonly opaque: { readonly held: boolean; readonly message?: string } };

export interface FlowFailure {
  readonly message: string;
  /** An act or expectation failed; the code itself is fine. */
  readonly isStep: boolean;
  readonly file?: string;
  readonly line?: number;
}
