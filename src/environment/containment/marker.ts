/** The mark that every child of an environment carries in its own environment variables. */

export const markerVariable = 'SHAKEDOWN_ENVIRONMENT';

export function markerOf(environment: string): string {
  return `${markerVariable}=${environment}`;
}
