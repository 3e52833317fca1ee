/** The marks that give away the processes of an environment, whoever started them. */
import path from 'node:path';
import type { Marks } from './process-table.ts';

/** Every child of an environment carries it in its own environment variables. */
export const markerVariable = 'SHAKEDOWN_ENVIRONMENT';

export function markerOf(environment: string): string {
  return `${markerVariable}=${environment}`;
}

/** A process may have scrubbed its variables; it still writes somewhere. Where it stands proves nothing: people look around. */
export function marksOf(place: { readonly environment: string; readonly runFolder: string }): Marks {
  return {
    variables: [markerOf(place.environment)],
    folders: [],
    outputs: [path.join(place.runFolder, 'services')],
  };
}
