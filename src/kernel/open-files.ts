/** How many files (connections included) this process may have open, and what to do when that is not enough. */
import { errorCode } from './system-error.ts';

export function mostOpenFiles(): number {
  Object.assign(process.report, { excludeNetwork: true }); // it would look up the name of every address
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: number | string } };
  };
  const most = Number(userLimits?.open_files?.soft ?? 'unlimited');
  return Number.isNaN(most) ? Number.POSITIVE_INFINITY : most;
}

/** A hint only where a limit can be raised. */
export function openFilesAdvice(error: unknown): string {
  return ['EMFILE', 'ENFILE'].includes(errorCode(error) ?? '') ? `; ${raiseOpenFiles}` : '';
}

export const raiseOpenFiles = 'raise the limit and start again: ulimit -n 65536';
