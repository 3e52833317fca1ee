/** Which id of one run is which of another: learned from what corresponds, and contradicted where ids were mixed up. */
import type { Link } from './compare-values.ts';

export class Renaming {
  readonly #then = new Map<string, string>();
  readonly #now = new Map<string, string>();
  /** Learned from one of several that looked alike: it may as well have been another. */
  readonly #guessed = new Set<string>();

  /** How many of the links are known already; undefined where they contradict what is known, or each other. */
  fit(links: readonly Link[]): number | undefined {
    const ids = links.filter(isOfIds);
    const own = new Renaming();
    for (const link of ids) {
      if (own.contradicted([link]) ?? this.contradicted([link])) return undefined;
      own.learn([link]);
    }
    return new Set(ids.filter(([was]) => this.#then.has(was)).map(([was]) => was)).size;
  }

  /** The first link that does not fit, what belongs there, and whether that is certain. */
  contradicted(links: readonly Link[]): Contradiction | undefined {
    for (const [was, is] of links.filter(isOfIds)) {
      const meant = this.#then.get(was);
      const other = this.#now.get(is);
      if ((meant ?? is) === is && (other ?? was) === was) continue;
      const isSure = isGenerated(was, meant) && isGenerated(is, other) && !this.#isGuessed(was, other);
      return { is, expected: meant === undefined || meant === is ? undefined : meant, isSure };
    }
    return undefined;
  }

  learn(links: readonly Link[], isGuess = false): void {
    for (const [was, is] of links.filter(isOfIds)) {
      if (this.#then.has(was) || this.#now.has(is)) continue;
      this.#then.set(was, is);
      this.#now.set(is, was);
      if (isGuess) this.#guessed.add(was);
    }
  }

  #isGuessed(...ids: readonly (string | undefined)[]): boolean {
    return ids.some((id) => id !== undefined && this.#guessed.has(id));
  }
}

export interface Contradiction {
  readonly is: string;
  /** Undefined where only that it is another one is known. */
  readonly expected: string | undefined;
  readonly isSure: boolean;
}

/** Times and addresses are equal or not by chance. */
function isOfIds(link: Link): boolean {
  return link.every(isIdentity);
}

function isIdentity(word: string): boolean {
  if (word.startsWith('‹')) return isDrawnAtRandom(word);
  return /\p{L}/u.test(word) && /\d/.test(word) && !/ |^\d+(?:ms|s|µs)$/.test(word);
}

/** A name that is the same in both runs, such as `worker-2`, may be one of several that do the same. */
function isGenerated(word: string, counterpart: string | undefined): boolean {
  return isDrawnAtRandom(word) || (counterpart !== undefined && counterpart !== word);
}

function isDrawnAtRandom(word: string): boolean {
  return /^‹u?id#/.test(word);
}
