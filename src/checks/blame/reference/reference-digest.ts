/** A compact form of a passing attempt: later ones are compared with it. The form of `green.json`. */
import { edgeOf } from '../../../kernel/edge-name.ts';
import { isListOf, isMap, isText } from '../../../kernel/is-map.ts';

export interface ReferenceDigest {
  readonly version: 4;
  /** Hash of its subject: another trial under the same name, or another system around it, is not compared. */
  readonly of: string;
  /** How many passing attempts it was merged from; what varies between them is marked, and not compared. */
  readonly runs: number;
  /** The longest of them: what a service does by itself after that was never seen. */
  readonly durationMs: number;
  /** In the order in which they began. */
  readonly calls: readonly ReferenceCall[];
  readonly outputs: readonly ReferenceOutput[];
  /** Check to a hash of its expectation, which held: a check with a different one may be wrong itself. */
  readonly held: Readonly<Record<string, string>>;
  /** Resource to the state in which the jobs left it. */
  readonly prepared: Readonly<Record<string, string>>;
  /** Faults of every run, which do no harm. */
  readonly usual: readonly string[];
  /** What passed before it began; absent if that is not known. */
  readonly before?: ReferenceBefore;
  /** What passed to stores is among the calls. */
  readonly stores?: true;
  /** There was too much to be kept. */
  readonly cut?: true;
}

/** While the parts of the system started; what was said several times is there once. */
export interface ReferenceBefore {
  readonly calls: readonly ReferenceCall[];
  /** Edges on which more passed than is kept. */
  readonly cut: readonly string[];
}

export interface ReferenceCall {
  readonly from: string;
  readonly to: string;
  /** Where it leads to another than the first listener of its provider: `shop -> bank.admin`. */
  readonly edge?: string;
  /** What is asked for, without ids: calls with the same name are compared. */
  readonly name: string;
  /** Milliseconds since the attempt's first moment. */
  readonly began: number;
  readonly ended: number;
  readonly request: unknown;
  /** Null if there was none. */
  readonly answer: unknown;
  /** It is optional: reads, handshakes, and what was missing in one of the runs. */
  readonly optional?: true;
  /** Of a statement to a store: its tables, or its key. */
  readonly about?: readonly string[];
  /** What a store handed to a reader that had asked for whatever comes: the store is its sender. */
  readonly delivered?: true;
  /** It was missing in one of the runs, or its ids were not linked in the same way. */
  readonly loose?: true;
}

export function edgeIn(call: ReferenceCall): string {
  return call.edge ?? edgeOf(call);
}

/** An observable output of a party beside its calls. */
export interface ReferenceOutput {
  readonly party: string;
  /** `check stored`, `step hello`, `log`. */
  readonly name: string;
  /** What was queried; answers to different queries are not compared. */
  readonly asked: string;
  readonly at: number;
  readonly value: unknown;
  /** The table. */
  readonly about?: readonly string[];
}

export const digestVersion = 4;

/** From this many runs on, noise is known; before that, only what a failed check itself shows is not an accident. */
export const enoughRuns = 3;

/** Marks a value that is not the same in every passing run. */
export const varies = '‹varies›';

export const referenceLimits = {
  runs: 50,
  calls: 1_000,
  outputs: 200,
  /** Of one value: nested values, and characters of a text; of a longer one a hash is kept. */
  depth: 30,
  entries: 2_000,
  textChars: 400,
  /** Of a text that is JSON, to be parsed. */
  parsedChars: 100_000,
  /** Of the whole, as JSON. */
  chars: 2_000_000,
} as const;

/** Whether a value from a file is a digest: one that is truncated, or of another version, is treated as absent. */
export function isDigest(value: unknown): value is ReferenceDigest {
  if (!isMap(value) || value.version !== digestVersion) return false;
  return (
    typeof value.of === 'string' &&
    [value.runs, value.durationMs].every(isNumber) &&
    isListOf(value.calls, isCall) &&
    isListOf(value.outputs, isOutput) &&
    isMap(value.held) &&
    isMap(value.prepared) &&
    isListOf(value.usual, isText) &&
    (value.before === undefined || isBefore(value.before))
  );
}

function isBefore(value: unknown): boolean {
  return isMap(value) && isListOf(value.calls, isCall) && isListOf(value.cut, isText);
}

function isCall(value: unknown): boolean {
  return (
    isMap(value) &&
    [value.from, value.to, value.name].every(isText) &&
    [value.began, value.ended].every(isNumber)
  );
}

function isOutput(value: unknown): boolean {
  return isMap(value) && [value.party, value.name, value.asked].every(isText) && isNumber(value.at);
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number' && Number.isFinite(value);
}
