/** Turns what the operating system refused into a problem that says what to do. */
import { Problem, Problems } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';

/** Errors that are already explained pass unchanged; so do those that we cannot explain better. */
export function worldProblem(error: unknown, where: string): unknown {
  if (error instanceof Problem || error instanceof Problems) return error;
  const code = errorCode(error);
  const message = error instanceof Error ? error.message : String(error);
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    return new Problem({
      code: 'world.disk-full',
      where,
      what: `the disk is full: ${message}`,
      allowed: 'free space for the run folder (.shakedown/ beside the config) and the temporary folder',
      next: 'free some space (old runs in .shakedown/runs may be deleted), or point TMPDIR elsewhere, and start again',
      cause: error,
    });
  }
  if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS') {
    return new Problem({
      code: 'world.not-writable',
      where,
      what: `not permitted: ${message}`,
      allowed: 'a folder that this user may write to',
      next: 'change the owner or the permissions, or run from another folder',
      cause: error,
    });
  }
  // Node says that nothing is there when a folder cannot be made on a disk that is read-only.
  if (code === 'ENOENT' && message.includes('mkdir')) {
    return new Problem({
      code: 'world.not-writable',
      where,
      what: `a folder cannot be made: ${message}`,
      allowed: 'a disk that is not read-only, and a folder above it that is there',
      next: 'copy the project to where this user may write, or make the disk writable',
      cause: error,
    });
  }
  if (code === 'ENOTDIR' || (code === 'EEXIST' && message.includes('mkdir'))) {
    return new Problem({
      code: 'world.not-writable',
      where,
      what: `something that is no folder is in the way: ${message}`,
      allowed: 'folders, or nothing, where folders are to be made',
      next: 'look at each part of the path, and move away what is no folder; `shakedown doctor` names it below .shakedown',
      cause: error,
    });
  }
  if (code === 'EADDRINUSE') {
    return new Problem({
      code: 'world.port-taken',
      where,
      what: `an address is taken: ${message}`,
      allowed: 'an address on which nobody listens',
      next: 'start again; `shakedown doctor` shows what earlier runs left',
      cause: error,
    });
  }
  if (code === 'EMFILE') {
    return new Problem({
      code: 'world.not-permitted',
      where,
      what: `too many files are open: ${message}`,
      allowed: `this shell permits at most ${openFilesLimit()} open files; each service and each connection needs some`,
      next: 'raise the limit and start again: ulimit -n 4096',
      cause: error,
    });
  }
  if (code === 'ENFILE' || code === 'EAGAIN' || code === 'ENOMEM') {
    return new Problem({
      code: 'world.not-permitted',
      where,
      what: `the machine has run out of something: ${message}`,
      allowed: 'free file descriptors, processes and memory',
      next: 'close other programs, or raise the limits (`ulimit -u`; fs.file-max for the whole machine)',
      cause: error,
    });
  }
  return error;
}

/** No file can be opened to read it from. */
function openFilesLimit(): string {
  const { userLimits } = process.report.getReport() as {
    userLimits?: { open_files?: { soft?: number | string } };
  };
  return String(userLimits?.open_files?.soft ?? 'a few');
}
