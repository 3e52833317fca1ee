/** Services that ended by themselves during an attempt, so that waits can end early. */
import type { JournalEventBody } from '../../journal/event.ts';
import type { Clock } from '../../kernel/clock.ts';
import { limits } from '../../kernel/limits.ts';

export interface DeathWatch {
  /** Aborted a moment after a service has died; an answer may still be on its way. */
  readonly signal: AbortSignal;
  end(): void;
}

export class Deaths {
  readonly #clock: Clock;
  readonly #summary = new Map<string, string>();
  readonly #watches = new Set<() => void>();

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Undefined while all are alive. */
  get summary(): string | undefined {
    return this.#summary.size === 0 ? undefined : [...this.#summary.values()].join(', ');
  }

  note(event: JournalEventBody): void {
    if (event.type === 'node.exited' && !event.expected) {
      const { kind, name, code, signal } = event;
      this.#summary.set(name, `${kind} ${name} ended by itself, ${signal ? `by ${signal}` : `with ${code}`}`);
    } else if (event.type !== 'node.started' || !this.#summary.delete(event.name)) return;
    for (const look of this.#watches) look();
  }

  watch(): DeathWatch {
    const giveUp = new AbortController();
    let cancel: (() => void) | undefined;
    const look = (): void => {
      cancel?.();
      cancel =
        this.#summary.size === 0 ? undefined : this.#clock.after(limits.afterDeathMs, () => giveUp.abort());
    };
    this.#watches.add(look);
    look();
    return {
      signal: giveUp.signal,
      end: () => {
        this.#watches.delete(look);
        cancel?.();
      },
    };
  }
}
