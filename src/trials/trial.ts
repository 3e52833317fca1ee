/** A trial that can be performed: the record that is judged, and the steps that lead there. */
import type { CheckRecord, TrialRecord } from '../checks/trial-record.ts';
import type { SourcePosition } from '../kernel/source-position.ts';
import type { Isolation } from '../system/system.ts';
import type { ExchangeRule } from '../taps/exchanges/exchange-rule.ts';

export interface Trial {
  readonly record: TrialRecord;
  /** Absolute; relative paths in it start in its folder. */
  readonly file: string;
  readonly folder: string;
  /** The position of a part, maybe in another file: for problems that only show beside other trials or the system. */
  readonly whereIs?: (part: TrialPart) => SourcePosition;
  /** The value of `${case}`. */
  readonly case?: Readonly<Record<string, unknown>>;
  readonly steps: readonly Step[];
  readonly needs: readonly Need[];
  /** As the trial requests; absent where the config decides. */
  readonly isolation?: Isolation;
  readonly groups: readonly string[];
  readonly settleMs: number;
  readonly timeoutMs: number;
  /** How long a script line that must be used is waited for after quiet; absent for the usual time. */
  readonly unusedLineMs?: number;
  readonly attempts: number;
  /** Check to the number of attempts in which it must hold. */
  readonly atLeast: Readonly<Record<string, number>>;
  /** Script lines by resource; `${…}` is filled in when the attempt begins, except for values of steps and requests. */
  readonly scripts: Readonly<Record<string, unknown>>;
  /** References of the scripts to results of steps: filled in when a model or a third party is called. */
  readonly awaits?: readonly string[];
  readonly disturbs: readonly Disturb[];
  /** What an attempt may cost at most, where a model is a real one. */
  readonly budget?: { readonly usd?: number; readonly tokens?: number };
  /** `lint` findings that it causes on purpose. */
  readonly lint?: { readonly allow: readonly string[]; readonly because: string };
  /** It has `live` settings for a real model. */
  readonly mayBeLive?: true;
  /** For a flow: which one of its file. */
  readonly flow?: { readonly index: number };
}

/** A part of a trial with its own position; `script` is the n-th line, from 0, of a resource for a caller. */
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
  /** The key of its kind. */
  readonly kind: string;
  /** As written, `${…}` included, without the keys that all steps share. */
  readonly spec: Readonly<Record<string, unknown>>;
  readonly expect?: unknown;
  readonly burst?: number;
  /** Waited for before the step is done; for `until` it is the step. */
  readonly when?: CheckRecord;
  /** A rung of a ladder: when it fails, the others are performed all the same. */
  readonly rung?: { readonly name: string; readonly party: string };
  readonly timeoutMs: number;
  /** Folder of the file that contains it. */
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
