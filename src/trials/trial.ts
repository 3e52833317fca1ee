/** A trial that can be performed: the record that is judged, and what is done to get there. */
import type { CheckRecord, TrialRecord } from '../checks/trial-record.ts';
import type { SourcePosition } from '../kernel/source-position.ts';
import type { Isolation } from '../system/system.ts';
import type { ExchangeRule } from '../taps/exchanges/exchange-rule.ts';
import type { StepKind } from './document/step-documents.ts';

export interface Trial {
  readonly record: TrialRecord;
  /** Absolute; relative paths in it start in its folder. */
  readonly file: string;
  readonly folder: string;
  /** Where a part of it stands, which may be in another file: for what only shows beside other trials, or the system. */
  readonly whereIs?: (part: TrialPart) => SourcePosition;
  /** What `${case}` means. */
  readonly case?: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
  readonly needs: readonly Need[];
  /** What it asks for itself; absent where the config decides. */
  readonly isolation?: Isolation;
  readonly groups: readonly string[];
  readonly settleMs: number;
  readonly timeoutMs: number;
  readonly attempts: number;
  /** Check to the number of attempts in which it must hold. */
  readonly atLeast: Readonly<Record<string, number>>;
  /** What models and third parties are told, by resource; `${…}` is filled in when the attempt begins, but for what steps and requests bring. */
  readonly scripts: Readonly<Record<string, unknown>>;
  /** References of the scripts to what steps give: filled in when a model or a third party is asked. */
  readonly awaits?: readonly string[];
  readonly disturbs: readonly Disturb[];
  /** What an attempt may cost at most, where a model is a real one. */
  readonly budget?: { readonly usd?: number; readonly tokens?: number };
  /** Findings of `lint` that it makes on purpose. */
  readonly lint?: { readonly allow: readonly string[]; readonly because: string };
  /** It says what holds when the model is a real one. */
  readonly mayBeLive?: true;
  /** For a flow: which one of its file. */
  readonly flow?: { readonly index: number };
}

/** A part of a trial that has a place of its own; `script` is the n-th line, from 0, that a resource is told for a caller. */
export type TrialPart =
  | 'id'
  | 'attacks'
  | 'covers'
  | { readonly provenBy: string }
  | { readonly step: string }
  | { readonly check: string }
  | { readonly script: { readonly resource: string; readonly caller: string; readonly index: number } };

export interface Step {
  /** The name under `as`, or `#3`. */
  readonly name: string;
  readonly kind: StepKind;
  /** As written, `${…}` included, without the keys that all steps share. */
  readonly spec: Readonly<Record<string, unknown>>;
  readonly expect?: unknown;
  readonly burst?: number;
  /** Waited for before the step is done; for `until` it is the step. */
  readonly when?: CheckRecord;
  /** A rung of a ladder: when it fails, the others are asked all the same. */
  readonly rung?: { readonly name: string; readonly party: string };
  readonly timeoutMs: number;
  /** Folder of the file in which it stands. */
  readonly folder: string;
}

/** A rule for the tap of an edge, in force from the first step to the end. */
export interface Disturb {
  readonly from: string;
  readonly to: string;
  readonly line: number;
  readonly rule: ExchangeRule;
}

export type Need =
  | { readonly kind: 'docker' }
  | { readonly kind: 'env'; readonly name: string }
  | { readonly kind: 'binary'; readonly name: string }
  | { readonly kind: 'port'; readonly port: number }
  | { readonly kind: 'platform'; readonly platform: string };
