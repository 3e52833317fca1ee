/** Converts errors of the operating system into problems with a remedy. */
import { existsSync } from 'node:fs';
import { mostOpenFiles, raiseOpenFiles } from '../../kernel/open-files.ts';
import { Problem, type ProblemParts, Problems } from '../../kernel/problem.ts';
import { errorCode } from '../../kernel/system-error.ts';

/** Problems pass unchanged; so do errors that cannot be explained better. */
export function worldProblem(error: unknown, where: string): unknown {
  if (error instanceof Problem || error instanceof Problems) return error;
  const message = error instanceof Error ? error.message : String(error);
  const refusal = refusalFor(errorCode(error), message.includes('mkdir'));
  if (!refusal) return error;
  const [code, what, allowed, next] = refusal;
  return new Problem({ code, where, what: `${what}: ${message}`, allowed, next, cause: error });
}

type Refusal = readonly [code: ProblemParts['code'], what: string, allowed: string, next: string];

function refusalFor(code: string | undefined, isMaking: boolean): Refusal | undefined {
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
    case '53100': // the code of PostgreSQL
      return [
        'world.disk-full',
        'the disk is full',
        'free space for the run folder (.shakedown/ beside the config) and the temporary folder',
        'free some space, or inodes (old runs in .shakedown/runs may be deleted), or point TMPDIR elsewhere, and start again',
      ];
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return [
        'world.not-writable',
        'not permitted',
        'a folder that this user may write to',
        'change the owner or the permissions, or run from another folder',
      ];
    case 'ENOENT':
      if (process.platform === 'linux' && !existsSync('/proc/self/fd'))
        return [
          'world.not-permitted',
          '/proc cannot be read, something may be mounted over it',
          'the /proc of the kernel, as long as an environment is there',
          'keep services from mounting over /proc; its guard or the next command removes what is still left',
        ];
      // Node reports this when a folder cannot be created on a read-only disk.
      return isMaking
        ? [
            'world.not-writable',
            'a folder cannot be created',
            'a disk that is not read-only, and an existing parent folder',
            'copy the project to where this user may write, or make the disk writable',
          ]
        : undefined;
    case 'EISDIR':
      return [
        'world.not-writable',
        'a folder is in the way',
        'a file, or nothing, where a file is to be written',
        'inspect what is there, and remove it by hand',
      ];
    case 'ENOTDIR':
    case 'EEXIST':
      return code === 'ENOTDIR' || isMaking
        ? [
            'world.not-writable',
            'an entry that is not a folder is in the way',
            'folders, or nothing, where folders are to be created',
            'check each part of the path, and move away what is not a folder; `shakedown doctor` names it below .shakedown',
          ]
        : undefined;
    case 'EADDRINUSE':
      return [
        'world.port-taken',
        'an address is taken',
        'an address on which nothing listens',
        'start again; `shakedown doctor` shows what earlier runs left',
      ];
    default:
      return exhaustionFor(code);
  }
}

function exhaustionFor(code: string | undefined): Refusal | undefined {
  switch (code) {
    case 'EMFILE':
      return [
        'world.not-permitted',
        'too many files are open',
        `this shell permits at most ${mostOpenFiles()} open files; each service and each connection needs some`,
        raiseOpenFiles,
      ];
    case 'EFBIG':
      return [
        'world.not-permitted',
        'a file would become larger than this shell permits',
        'files as large as plans, journals and logs become',
        'raise the limit and start again: ulimit -f unlimited',
      ];
    case 'ENFILE':
    case 'EAGAIN':
    case 'ENOMEM':
      return [
        'world.not-permitted',
        'the machine has run out of a resource',
        'free file descriptors, processes and memory',
        'close other programs, or raise the limits (`ulimit -u`; fs.file-max for the whole machine)',
      ];
    default:
      return undefined;
  }
}
