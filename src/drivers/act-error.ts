/** Why an act could not be completed, as one of the kinds that a trial can expect. */
import { openFilesAdvice } from '../kernel/open-files.ts';
import { Problem } from '../kernel/problem.ts';
import { errorCode, isExhaustion } from '../kernel/system-error.ts';
import type { ActError } from './driver.ts';

export type ActErrorKind = ActError['kind'];

const kindOfCode: Readonly<Record<string, ActErrorKind>> = {
  ECONNREFUSED: 'refused',
  EHOSTUNREACH: 'unreachable',
  EHOSTDOWN: 'unreachable',
  ENETUNREACH: 'unreachable',
  ENOTFOUND: 'unreachable',
  EAI_AGAIN: 'unreachable',
  EADDRNOTAVAIL: 'unreachable',
  EACCES: 'unreachable',
  EPERM: 'unreachable',
  ETIMEDOUT: 'unreachable',
  ECONNRESET: 'reset',
  ECONNABORTED: 'reset',
  EPIPE: 'closed',
};

/** What a socket reported; undefined when neither the peer nor the network can cause it. */
export function socketError(error: unknown, peer: string): ActError | undefined {
  const code = errorCode(error) ?? '';
  if (isExhaustion(error))
    return {
      kind: 'not-started',
      message: `no connection to ${peer} can be opened (${code})${openFilesAdvice(error)}`,
    };
  const kind = Object.hasOwn(kindOfCode, code) ? kindOfCode[code] : undefined;
  if (kind === undefined) return undefined;
  if (kind === 'unreachable') return { kind, message: `${peer} is unreachable (${code})` };
  return { kind, message: `the connection was ${kind} by ${peer} (${code})` };
}

export const givenUp: ActError = { kind: 'closed', message: 'the attempt was given up' };

/** The act did not even begin: there is no such file, the message has no bytes, the attempt is over. */
export function notStarted(error: unknown): ActError {
  if (error instanceof Problem) return { kind: 'not-started', message: `${error.what}; ${error.next}` };
  return { kind: 'not-started', message: error instanceof Error ? error.message : String(error) };
}
