/** What SQLite says when it does not answer. */
import { ObservationError } from '../../observer.ts';
import { QueryRefused } from '../database/refusals.ts';

/** SQLITE_ERROR: a view over what is gone, or a function that only the service has. */
const refused = 1;

export function isRefusal(error: unknown): boolean {
  return ((error as { readonly errcode?: number }).errcode ?? 0) % 256 === refused;
}

/** Without `errcode`, it has said nothing. */
export function explain(error: unknown): unknown {
  const { errcode, message } = error as { readonly errcode?: number; readonly message: string };
  if (errcode === undefined) return error;
  if (isRefusal(error)) return new QueryRefused(message, 'SQLITE_ERROR');
  return new ObservationError(`the file of the database cannot be read: ${message}`, 'later');
}
