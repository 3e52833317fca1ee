/** Sends a signal to a process or, with a negative number, to a group; says whether somebody was there to get it. */
import { errorCode } from '../../kernel/system-error.ts';

export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    // A group whose last member is just being buried refuses on some systems, instead of not being there.
    if (errorCode(error) === 'ESRCH' || errorCode(error) === 'EPERM') return false;
    throw error;
  }
}
