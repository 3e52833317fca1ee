/** Sends a signal to a process or, with a negative number, to a group; returns whether there was one to receive it. */
import { errorCode } from '../../kernel/system-error.ts';

export function signalProcess(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch (error) {
    // On some systems, a group whose last member is being reaped refuses the signal instead of being absent.
    if (errorCode(error) === 'ESRCH' || errorCode(error) === 'EPERM') return false;
    throw error;
  }
}
