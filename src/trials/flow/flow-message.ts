/** What a flow's process and whoever performs it say to each other; plain JSON on the channel between them. */
import type { ProblemData } from '../../kernel/problem.ts';
import type { CheckKind } from '../document/check-documents.ts';
import type { StepKind } from '../document/step-documents.ts';
import type { RawMap } from '../read/placed.ts';
import type { FlowTrial } from './flow-context.ts';

export type ToFlow =
  /** Before anything else: the variables of the host. */
  | { readonly say: 'variables'; readonly env: Readonly<Record<string, string | undefined>> }
  | { readonly say: 'list'; readonly file: string }
  | {
      readonly say: 'perform';
      readonly file: string;
      readonly index: number;
      readonly trial: FlowTrial;
      /** Where the outside reaches each service. */
      readonly urls: Readonly<Record<string, string>>;
    }
  | Answer;

export type FromFlow =
  | { readonly say: 'flows'; readonly flows: readonly FoundFlow[] }
  | { readonly say: 'broken'; readonly problem: ProblemData }
  /** It begins now; these observers compare with what was before. */
  | { readonly say: 'begins'; readonly watches: readonly CheckKind[] }
  /** Those in one message begin behind one barrier. */
  | { readonly say: 'asks'; readonly asks: readonly Ask[] }
  | { readonly say: 'check'; readonly check: Declaration }
  | { readonly say: 'ended'; readonly failure?: FlowFailure };

/** A call of `flow(…)` in a file. */
export interface FoundFlow {
  readonly title: unknown;
  /** Absent when there are none. */
  readonly options?: unknown;
  /** Why they are no data. */
  readonly oddity?: string;
  readonly hasBody: boolean;
  readonly line: number;
  readonly column: number;
}

export type Ask = { readonly id: number; readonly line: number } & Wish;

export type Wish =
  | { readonly do: 'act'; readonly kind: StepKind; readonly spec: RawMap; readonly settings: ActSettings }
  | { readonly do: 'look'; readonly watched: Watched }
  | {
      readonly do: 'until';
      readonly watched: Watched;
      readonly pattern: unknown;
      readonly within: string | undefined;
    };

export interface ActSettings {
  readonly as?: string;
  readonly within?: string;
  readonly expect?: unknown;
  /** An error of the transport is evidence, not the end. */
  readonly mayFail?: boolean;
}

/** What is looked at, as a check in YAML would say it: `{ rows: 'health.symptoms', where: … }`. */
export interface Watched {
  readonly kind: CheckKind;
  readonly raw: RawMap;
}

export type Answer = { readonly say: 'answer'; readonly id: number } & (
  | {
      readonly value: unknown;
      readonly origin?: Origin;
      /** The name under which the connection stays open, with all that was heard on it by now. */
      readonly connection?: string;
      readonly soFar?: unknown;
    }
  /** It was tried and did not succeed. */
  | { readonly fault: string }
  /** It cannot be done at all: there is no such service, no such option. */
  | { readonly mistake: string }
);

/** Where a value came from: what a step gave, or what was seen at a moment of the journal. */
export type Origin = { readonly step: string } | { readonly looked: Watched; readonly at: number };

/** A check as it is declared: what it is judged on, and what must be true of it. */
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
  /** Something that was done or expected did not succeed; the code itself is in order. */
  readonly isStep: boolean;
  readonly file?: string;
  readonly line?: number;
}
