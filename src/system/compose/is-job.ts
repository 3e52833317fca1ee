/** Decides which services of a compose file run once. */
import type { ServiceAddition } from '../document/compose-document.ts';
import type { ComposeService } from './compose-model.ts';
import { fieldOf, isNull, textOf } from './compose-node.ts';

/**
 * One that another service waits for to be completed; or one with `restart: "no"` written, without ports, a healthcheck
 * and anybody who waits for it to run. The config can say it, too.
 */
export function isJob(
  service: ComposeService,
  services: readonly ComposeService[],
  addition: ServiceAddition | undefined,
): boolean {
  if (addition?.as !== undefined) return addition.as === 'job';
  const conditions = services.flatMap(({ dependsOn }) => dependsOn[service.name]?.condition ?? []);
  if (conditions.includes('service_completed_successfully')) return true;
  const restart = textOf(fieldOf(service.node, 'restart'));
  const listens = service.ports.length > 0 || service.expose.length > 0;
  return (
    restart === 'no' && !listens && conditions.length === 0 && isNull(fieldOf(service.node, 'healthcheck'))
  );
}
