/** The problem for a keeper that ended without a final message. */
import { Problem } from '../../kernel/problem.ts';
import { logTail } from '../log-tail.ts';
import type { Plan } from '../plan.ts';
import { keeperLogFile } from '../run-folder.ts';

/** What Node prints last when it runs out of threads, processes or memory: not a bug in Shakedown. */
const exhausted = /pthread_create|uv_thread_create|JavaScript heap out of memory|allocation failure/;
const lastLines = 8;
/** Node explains its own end. The shell above it reports a SIGKILL, perhaps a moment later. */
const killed = /^$|\bKilled\b/;

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
  if (killed.test(evidence.at(-1) ?? ''))
    return new Problem({
      code: 'world.keeper-killed',
      where,
      what: `it ended ${when} without a message: it was killed`,
      allowed: 'a keeper that lives as long as its environment',
      next: 'everything was removed; see whether memory ran out (dmesg, the limits of the container), and start again',
      evidence,
    });
  return new Problem({
    code: 'shakedown.keeper-died',
    where,
    what: `it ended ${when}; it crashed`,
    allowed: 'a keeper that lives as long as its environment',
    next: `everything was removed; report it with ${runFolder}`,
    evidence,
  });
}
