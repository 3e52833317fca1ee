/** The addresses of an environment as variables for a program that runs beside it. */
import type { EnvironmentStatus } from './environment-status.ts';
import { outside } from './wiring/edges.ts';

/**
 * `SHAKEDOWN_HEALTH_URL`, `SHAKEDOWN_DB_URL` …, one for each address; a second port is `SHAKEDOWN_HEALTH_ADMIN_URL`.
 */
export function addressVariables(status: EnvironmentStatus): Record<string, string> {
  const resources = status.resources.flatMap(({ name, url }) => (url === null ? [] : [{ name, url }]));
  const services = status.edges
    .filter(({ from, to }) => from === outside && !resources.some(({ name }) => name === to))
    .map(({ to, url }) => ({ name: to, url }));
  return Object.fromEntries(
    [...resources, ...services].map(({ name, url }) => [
      `SHAKEDOWN_${name.replaceAll(/[-.]/g, '_').toUpperCase()}_URL`,
      url,
    ]),
  );
}
