/** What is said of a keeper that is gone and said nothing. */
import { Problem } from '../../kernel/problem.ts';
import type { Plan } from '../plan.ts';
import { logTail } from '../processes/log-tail.ts';
import { keeperLogFile } from '../run-folder.ts';

/** The last words of Node when there are no more threads, processes or memory: then nothing of ours is wrong. */
const exhausted = /pthread_create|uv_thread_create|JavaScript heap out of memory|allocation failure/;
const lastLines = 8;

/** `when` continues "it ended". */
export function keeperDied({ system, runFolder }: Plan, when: string): Problem {
  const evidence = logTail(keeperLogFile(runFolder));
  const where = `the keeper of ${system.name}`;
  if (exhausted.test(evidence.slice(-lastLines).join('\n')))
    return new Problem({
      code: 'world.exhausted',
      where,
      what: `it ended ${when}: this machine, or a limit of this user, gave it no more threads or memory`,
      allowed: 'some 30 processes and threads, and 200 MB of memory, beside what the system itself takes',
      next: 'raise the limit (ulimit -u, ulimit -v, the limits of the container), or end what runs beside it',
      evidence,
    });
  return new Problem({
    code: 'shakedown.keeper-died',
    where,
    what: `it ended ${when}; somebody killed it, or it crashed`,
    allowed: 'a keeper that lives as long as its environment',
    next: `everything was taken away; if nobody killed it, report it with ${runFolder}`,
    evidence,
  });
}
