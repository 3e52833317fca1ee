/** A kind of check, apart from its observer: its query, the name of its source, and what is observed there. */
import type { EdgeEnds } from '../../kernel/edge-name.ts';
import type { TextForm } from '../../patterns/escape-data.ts';
import type { ResourceKindName } from '../resource-kinds.ts';
import type { Fields } from './evidence.ts';
import type { Spec, Target } from './step-kind.ts';

export interface CheckKind {
  /** What is observed: one map, or a list of elements. */
  readonly gives: 'map' | 'list';
  /** What it gives is the result of an act, of which a part may be truncated or broken off. */
  readonly givesResult?: true;
  /** An empty list proves something only where the same source is known to show elements. */
  readonly needsProof?: true;
  /** It starts a program to look, which may be a tool of the machine alone. */
  readonly startsProgram?: true;
  /** The observer's query: `named` is the value under the check's key, `own` are its other keys. */
  query(named: unknown, own: Spec): Spec;
  /** What is observed, without conditions: two checks with one source observe the same thing. */
  source(query: Spec): string;
  /** The service that the text under the check's key names; absent where it names none. */
  readonly target?: (written: string) => Target | undefined;
  /** Kinds of resources that can be named in place of a service. */
  readonly readsResources?: readonly ResourceKindName[];
  /** A service stands for its place in one of them only. */
  readonly readsNoService?: true;
  /** The edge whose calls are observed; absent where something else is. */
  readonly edge?: (query: Spec) => EdgeEnds;
  /** The key of the query that ends its source: `files health out/*.json` ends with its `path`. */
  readonly sourceKey?: string;
  /** Keys of the query whose text is an expression or a glob: the value of a reference is data in them. */
  readonly forms?: Readonly<Record<string, TextForm>>;
  /** The value of `as` with which an element has this key; undefined for keys that it always has. */
  readonly formOf?: (key: string) => string | undefined;
  /** What an element of a `changes` check is called if this kind shows it. */
  readonly change?: 'row' | 'key' | 'file' | 'call';
  /** Such an element, of a change that a broken system makes where nobody looks. */
  readonly unwanted?: Spec;
  /** What can have happened to it then, as `op`. */
  readonly operations?: readonly string[];
  /** The file that is read, where changes of that file are claimed by its name alone. */
  readonly readsFile?: (query: Spec) => unknown;
  /** Which party can cause a failure; absent where any can. */
  readonly parties?: (query: Spec) => readonly unknown[];
  /** The fields of the observed value or of its elements, where we define them; absent where the system does. */
  readonly fields?: () => Fields | undefined;
  /** Its keys, where they depend on how the check is written; undefined where any may be mentioned. */
  readonly keys?: (written: Spec) => readonly string[] | undefined;
  /** Which elements the observer returns, beside `where`: a key of the element and an expression for its text. */
  readonly filters?: (query: Spec) => readonly (readonly [key: string, expression: string])[];
  /** Conditions are compared by the database, in its spelling of values. */
  readonly comparesAsSql?: true;
  /** Which party alone can have caused it: the service, or the service unless another writes to the same place. */
  readonly madeBy?: 'service' | 'service-alone';
  /** How an unread value counts: as state, or not at all, because it changes from run to run. */
  readonly unread?: 'stored' | 'ignored';
  /** A correlation reads it from the journal, so it needs no sample. */
  readonly isJournalled?: true;
  /** The check as written, from the arguments of the flow method of its name; absent where a flow has none. */
  readonly flow?: (...given: readonly never[]) => Spec;
  /** The key that is the second argument of that method. */
  readonly takes?: 'where' | 'key';
  /** Each element is one line. */
  readonly isByLine?: true;
  /** It compares with the state before the first step, so it must be opened then. */
  readonly comparesWithBefore?: true;
  /** Without a pattern, the list must be empty. */
  readonly isClosed?: true;
  /** It is journalled as it happens, so a sample copies data that is redacted already. */
  readonly isCopied?: true;
}

/** For a check that observes one service. */
export function serviceQuery(named: unknown, own: Spec): Spec {
  return { service: named, ...own };
}

export function serviceParty({ service }: Spec): readonly unknown[] {
  return [service];
}
