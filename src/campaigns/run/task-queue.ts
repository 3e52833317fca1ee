/** The remaining tasks, handed out so that trials of one group never run at the same time. */

export interface Task<Work> {
  readonly groups: readonly string[];
  readonly work: Work;
}

export function createTaskQueue<Work>(tasks: readonly Task<Work>[]) {
  const left = [...tasks];
  const busy = new Set<string>();
  let waiting: Array<() => void> = [];
  const wake = (): void => {
    const woken = waiting;
    waiting = [];
    for (const resume of woken) resume();
  };
  return {
    /** The next task that may run; waits while groups block every remaining one; undefined when none is left. */
    take: async () => {
      while (left.length > 0) {
        const index = left.findIndex(({ groups }) => groups.every((group) => !busy.has(group)));
        const [task] = index < 0 ? [] : left.splice(index, 1);
        if (task) {
          for (const group of task.groups) busy.add(group);
          return task;
        }
        await new Promise<void>((resolve) => void waiting.push(resolve));
      }
      return undefined;
    },
    done: ({ groups }: Task<Work>): void => {
      for (const group of groups) busy.delete(group);
      wake();
    },
    /** Drops the remaining tasks. */
    close: (): void => {
      left.length = 0;
      wake();
    },
  };
}
