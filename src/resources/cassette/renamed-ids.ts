/** Which id of this attempt replaces which id of the recording. */
import { idsIn } from '../../journal/steady-value.ts';

/** More are not remembered, and count as new. */
const mostIds = 10_000;

export class RenamedIds {
  /** Of the recording to that of now, and back. */
  readonly #now = new Map<string, string>();
  readonly #then = new Map<string, string>();

  /**
   * For two values that are the same but for their ids: where these do not map one to one, here and in what
   * came before.
   */
  objection(recorded: unknown, now: unknown): string | undefined {
    const after = idsIn(now);
    const [forth, back] = [new Map(this.#now), new Map(this.#then)];
    for (const [index, id] of idsIn(recorded).entries()) {
      const other = after[index] ?? '';
      const [meant, was] = [forth.get(id) ?? other, back.get(other) ?? id];
      if (meant !== other)
        return `got ${other}, expected ${meant}${meant === id ? '' : ` (${id} in the recording)`}`;
      if (was !== id) return `${other} replaces two different ids: ${was} and ${id}`;
      forth.set(id, other);
      back.set(other, id);
    }
    return undefined;
  }

  learn(recorded: unknown, now: unknown): void {
    const after = idsIn(now);
    for (const [index, id] of idsIn(recorded).entries()) this.#remember(id, after[index] ?? id);
  }

  /** Ids that the recording itself introduces are replayed unchanged, and a consumer that repeats them means these. */
  learnOwn(text: string): void {
    for (const id of idsIn(text)) this.#remember(id, id);
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
