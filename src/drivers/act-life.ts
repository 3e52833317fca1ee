/** The life of one act: it ends once, by itself, at its deadline, or because the attempt is given up. */
import type { DriverContext } from './driver.ts';

export interface ActEnds {
  /** The deadline has passed. The callback ends the act, now or soon. */
  late(): void;
  /** The attempt is given up; likewise. */
  givenUp(): void;
}

export function beginLife({ clock, signal, timeoutMs }: DriverContext, ends: ActEnds) {
  const beganAt = clock.monotonic();
  const { promise, resolve } = Promise.withResolvers<void>();
  let endedAt: number | undefined;
  const cancelDeadline = clock.after(timeoutMs, () => ends.late());
  const giveUp = (): void => ends.givenUp();
  signal.addEventListener('abort', giveUp, { once: true });
  return {
    done: promise,
    get isOver(): boolean {
      return endedAt !== undefined;
    },
    /** Milliseconds since the act began, until now or until its end. */
    get durationMs(): number {
      return Math.round(((endedAt ?? clock.monotonic()) - beganAt) * 100) / 100;
    },
    end: (): void => {
      if (endedAt !== undefined) return;
      endedAt = clock.monotonic();
      cancelDeadline();
      signal.removeEventListener('abort', giveUp);
      resolve();
    },
  };
}

export type ActLife = ReturnType<typeof beginLife>;
