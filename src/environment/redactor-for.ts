/** The redactor for the secrets of a system; names of its parts are not redacted. */
import { createRedactor, type Redactor, secretValues } from '../journal/redaction.ts';
import { outside } from '../journal/topology.ts';
import type { System } from '../system/system.ts';

export function redactorFor(system: System, env: Readonly<Record<string, string | undefined>>): Redactor {
  const { services, jobs, resources, secrets } = system;
  const parts = [...services, ...jobs, ...resources].map(({ name }) => name);
  const listeners = services.flatMap(({ name, listen }) => listen.map((one) => `${name}.${one.name}`));
  return createRedactor(secretValues(secrets, env), [outside, ...parts, ...listeners]);
}
