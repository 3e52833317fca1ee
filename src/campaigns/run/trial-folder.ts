/** Where the evidence of each attempt is stored below the run folder. */
import path from 'node:path';

/** `trials/<id>`; further attempts in subfolders with names that no id can have. */
export function trialFolder(id: string, attempt: number): string {
  const base = path.join('trials', ...id.split('/'));
  return attempt === 1 ? base : path.join(base, `@${attempt}`);
}
