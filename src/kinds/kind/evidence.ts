/** What a kind gives, field by field: who decides each, and what can be there. */

export interface Field {
  /** Measured by us; echoed from the step or query, or done by us; decided by the system. */
  readonly origin: 'measured' | 'request' | 'system';
  /** Every value that it can have. */
  readonly enum?: readonly string[] | undefined;
  /** The type of its values, where something depends on it. */
  readonly type?: 'object' | 'string' | 'boolean';
  /** It is shown only where there is something to show, such as after a failure. */
  readonly isRare?: true;
  /** The system decides whether it is there. */
  readonly isOptional?: true;
  /** No machine has more of it. */
  readonly most?: number;
  /** Nothing that is there has less of it. */
  readonly least?: number;
  /** In place of one of these words, a broken system has another one of them. */
  readonly usual?: readonly string[];
  /** We count it, whatever the system does. */
  readonly isCounter?: true;
  /** Content of an answer, as opposed to facts about it. */
  readonly isContent?: true;
  /** The content as a whole: an error page has one, too. */
  readonly isBody?: true;
  /** A list that the protocol makes, not the system. */
  readonly isWireList?: true;
  /** A list of which we decide how many elements it has. */
  readonly isOurList?: true;
  /** A hash that we compute: it always has the form of one. */
  readonly isHash?: true;
  /** Its values have this form, as we write it; the examples stand for all of them. */
  readonly form?: { readonly expression: RegExp; readonly examples: readonly string[] };
  /** Which side of a call decides it. */
  readonly by?: 'caller' | 'provider';
  /** What we define within it. */
  readonly fields?: Fields;
  /** It has no other fields; what they are fields of, in words. */
  readonly closedAs?: string;
}

export type Fields = Readonly<Record<string, Field>>;

export const measured: Field = { origin: 'measured' };
export const requested: Field = { origin: 'request' };
export const system: Field = { origin: 'system' };

/** Several fields that differ in nothing but their name. */
export function alike(names: string, field: Field): Fields {
  return Object.fromEntries(names.split(' ').map((name) => [name, field]));
}

export interface StepEvidence {
  readonly fields: Fields;
  readonly outcome?: Outcome;
  readonly format?: EvidenceFormat;
}

/** How evidence is shown to people. */
export interface EvidenceFormat {
  /** Evidence with one of these fields is shown so. */
  readonly when: readonly string[];
  /** `show` prints a value on what is left of a line. */
  words(evidence: Answer, show: (value: unknown) => string): string;
}

type Answer = Readonly<Record<string, unknown>>;

/** The field that says how it went. */
export interface Outcome {
  readonly field: string;
  /** The outcome alone, for people. */
  readonly words?: (value: unknown) => string;
  /** The opposite of a value: a failure for a success, a success for a refusal. */
  readonly opposite?: (value: unknown) => unknown;
  readonly failure?: {
    readonly what: string;
    isWell(value: unknown): boolean;
    /** The same answer of a system that failed, in every usual way. */
    answers(healthy: Answer): readonly Answer[];
  };
}

/** In the answers of a system that failed. */
export const errorText = 'something went wrong';
