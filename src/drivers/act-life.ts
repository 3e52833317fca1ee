/** The life of one act: it ends once, by itself, at its deadline, or because the attempt is given up. */
import type { DriverContext } from './driver.ts';

export interface ActLife {
  readonly done: Promise<void>;
  readonly isOver: boolean;
  /** Milliseconds since the act began, until now or until its end. */
  readonly durationMs: number;
  end(): void;
}

export interface ActEnds {
  /** The deadline has passed. The callback ends the act, now or soon. */
  late(): void;
  /** The attempt is given up; likewise. */
  givenUp(): void;
}

export function beginLife({ clock, signal, timeoutMs }: DriverContext, ends: ActEnds): ActLife {
  const beganAt = clock.monotonic();
  const { promise, resolve } = Promise.withResolvers<void>();
  let endedAt: number | undefined;
  const cancelDeadline = clock.after(timeoutMs, () => ends.late());
  const giveUp = (): void => ends.givenUp();
  signal.addEventListener('abort', giveUp, { once: true });
  return {
    done: promise,
    get isOver() {
      return endedAt !== undefined;
    },
    get durationMs() {
      return Math.round(((endedAt ?? clock.monotonic()) - beganAt) * 100) / 100;
    },
    end: () => {
      if (endedAt !== undefined) return;
      endedAt = clock.monotonic();
      cancelDeadline();
      signal.removeEventListener('abort', giveUp);
      resolve();
    },
  };
}
