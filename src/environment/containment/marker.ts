/** The marks by which the processes of an environment are found, whichever process started them. */
import path from 'node:path';
import { markerVariable } from '../wiring/hermetic-env.ts';
import type { Marks } from './process-table.ts';

export function markerOf(environment: string): string {
  return `${markerVariable}=${environment}`;
}

/**
 * A process may have cleared its variables, but still writes to a log. Its working folder proves nothing: a user's
 * shell may be there.
 */
export function marksOf(place: { readonly environment: string; readonly runFolder: string }): Marks {
  return {
    variables: [markerOf(place.environment)],
    folders: [],
    outputs: [path.join(place.runFolder, 'services')],
  };
}
