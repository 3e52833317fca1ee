/** Works off tasks, one at a time in each of several environments. */
import { type Problem, problemsIn } from '../../kernel/problem.ts';
import {
  createEnvironmentHolder,
  type EnvironmentHolder,
  type EnvironmentSource,
} from './environment-holder.ts';
import { createTaskQueue, type Task } from './task-queue.ts';

export interface Workload<Work> {
  readonly tasks: readonly Task<Work>[];
  /** How many environments at once. */
  readonly workers: number;
  readonly environments: EnvironmentSource;
  /** When one of these is aborted, nothing more is started. */
  readonly ends: readonly AbortSignal[];
  /** `before` was worked off in the same environment. `stop`: nothing more is started. */
  perform(work: Work, holder: EnvironmentHolder, before: Work | undefined): Promise<'go-on' | 'stop'>;
}

export async function workInEnvironments<Work>(load: Workload<Work>) {
  const queue = createTaskQueue(load.tasks);
  // Why there was no environment, or none any more; and what went wrong when environments were taken down.
  const problems: Problem[] = [];
  const endProblems: Problem[] = [];
  const leaks: string[] = [];
  for (const end of load.ends) {
    end.addEventListener('abort', queue.close, { once: true });
    if (end.aborted) queue.close();
  }
  const worker = async (): Promise<void> => {
    const holder = createEnvironmentHolder(load.environments);
    let before: Work | undefined;
    try {
      for (let task = await queue.take(); task; task = await queue.take()) {
        try {
          // Closed before others that wait for the groups of this task are woken.
          if ((await load.perform(task.work, holder, before)) === 'stop') queue.close();
          before = task.work;
        } finally {
          queue.done(task);
        }
      }
    } catch (error) {
      // Without an environment nothing more can be shown: other workers finish, and nothing more is started.
      problems.push(...problemsIn(error));
      queue.close();
    } finally {
      const end = await holder.end();
      leaks.push(...end.leaks);
      endProblems.push(...end.problems);
    }
  };
  await Promise.all(Array.from({ length: load.workers }, worker));
  return { problems, endProblems, leaks };
}
