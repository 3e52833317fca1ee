/** Runs tasks in the order in which they arrive, at most `width` at a time, and refuses more than `limit` waiting. */

interface Queue {
  run<T>(task: () => Promise<T>): Promise<T>;
  readonly full: boolean;
}

export function createQueue({ width, limit }: { width: number; limit: number }): Queue {
  const waiting: (() => void)[] = [];
  let running = 0;

  /** A free slot goes straight to the task that waited longest, so no other task can take it in between. */
  const release = () => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next();
  };

  return {
    get full() {
      return waiting.length >= limit;
    },
    async run(task) {
      if (running < width) {
        running += 1;
      } else {
        if (waiting.length >= limit) throw new Error(`busy: ${limit} are waiting already`);
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
      try {
        return await task();
      } finally {
        release();
      }
    },
  };
}
