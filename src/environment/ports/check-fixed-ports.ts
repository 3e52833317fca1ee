/** Checks before the boot whether fixed ports are free: outside of the namespace their owner is visible, too. */
import type { System } from '../../system/system.ts';
import { hasOwnPorts } from '../containers/container-ports.ts';
import { isFree, portTaken } from './port-chooser.ts';

export async function checkFixedPorts(system: System): Promise<void> {
  const services = system.services.filter((service) => !hasOwnPorts(service));
  const fixed = services.flatMap((service) =>
    service.listen.flatMap(({ name, how }) =>
      how.by === 'fixed'
        ? [{ port: how.port, where: `service ${service.name}, phase start, listener ${name}` }]
        : [],
    ),
  );
  for (const { port, where } of fixed) {
    if (!(await isFree(port))) throw portTaken(port, where, undefined);
  }
}
