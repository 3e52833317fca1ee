/** A compose project of the corpus, in a folder of its own. */

export interface CorpusCase {
  readonly name: string;
  /** Path to text; `compose.yml` unless `files` names others. */
  readonly texts: Readonly<Record<string, string>>;
  readonly files?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly profiles?: readonly string[];
  /** Docker Compose 1.29 does not know what it holds, or takes it otherwise: why. */
  readonly not129?: string;
  /** Docker Compose 2 refuses it: why. */
  readonly not2?: string;
}

/** Of one file alone. */
export const oneFile = (
  name: string,
  compose: string,
  more: Omit<CorpusCase, 'name' | 'texts'> = {},
): CorpusCase => ({
  name,
  texts: { 'compose.yml': compose },
  ...more,
});
