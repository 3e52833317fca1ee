/** Which id of this attempt replaces which id of the recording. */
import { idsIn } from '../../journal/steady-value.ts';

/** More are not remembered, and count as new. */
const mostIds = 10_000;

export class RenamedIds<Of = unknown> {
  readonly #idsOf: (value: Of) => readonly string[];
  /** Of the recording to that of now, and back. */
  readonly #now = new Map<string, string>();
  readonly #then = new Map<string, string>();
  /** Ids of the recording whose counterpart is certain. */
  readonly #firm = new Set<string>();

  constructor(idsOf: (value: Of) => readonly string[] = idsIn) {
    this.#idsOf = idsOf;
  }

  /**
   * For two values that are the same but for their ids: where these do not map one to one, here and in what
   * came before; `certain`: of that, only what could not have been meant otherwise.
   */
  objection(recorded: Of, now: Of, certain = false): string | undefined {
    const after = this.#idsOf(now);
    const isKnown = (id: string): boolean => !certain || this.#firm.has(id);
    const forth = new Map([...this.#now].filter(([id]) => isKnown(id)));
    const back = new Map([...this.#then].filter(([, id]) => isKnown(id)));
    for (const [index, id] of this.#idsOf(recorded).entries()) {
      const other = after[index] ?? '';
      // Two moments may be the same one in another run.
      if (isMoment(id) && isMoment(other)) continue;
      const [meant, was] = [forth.get(id) ?? other, back.get(other) ?? id];
      if (meant !== other)
        return `got ${other}, expected ${meant}${meant === id ? '' : ` (${id} in the recording)`}`;
      if (was !== id) return `${other} replaces two different ids: ${was} and ${id}`;
      forth.set(id, other);
      back.set(other, id);
    }
    return undefined;
  }

  learn(recorded: Of, now: Of, isCertain = true): void {
    const after = this.#idsOf(now);
    for (const [index, id] of this.#idsOf(recorded).entries()) {
      this.#remember(id, after[index] ?? id);
      if (isCertain) this.#firm.add(id);
    }
  }

  /** Ids that the recording itself introduces are replayed unchanged, and a consumer that repeats them means these. */
  learnOwn(text: Of): void {
    for (const id of this.#idsOf(text)) this.#remember(id, id);
  }

  /** A text of the recording with the ids of now. */
  rename(text: string): string {
    const others = [...this.#now].filter(([id, other]) => id !== other && text.includes(id));
    if (others.length === 0) return text;
    const any = new RegExp(others.map(([id]) => id).join('|'), 'g');
    return text.replaceAll(any, (id) => this.#now.get(id) ?? id);
  }

  #remember(id: string, other: string): void {
    if (this.#now.size >= mostIds || this.#now.has(id)) return;
    this.#now.set(id, other);
    this.#then.set(other, id);
  }
}

/** Milliseconds, microseconds or nanoseconds since 1970. */
function isMoment(id: string): boolean {
  return /^1[5-9]\d{11}(?:\d{3}){0,2}$/.test(id);
}
