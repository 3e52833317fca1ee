/** How many environments run at once: a fixed port allows only one. */
import { availableParallelism } from 'node:os';
import { hasOwnPorts } from '../../environment/containers/container-ports.ts';
import { badUsage } from '../../kernel/problem.ts';
import type { System } from '../../system/system.ts';

const mostForTrials = 4;
const mostForMutants = 8;
const servicesForACore = 8;

/** Half of the cores, at most 4. */
export function environmentsForTrials(system: System, given: number | undefined): number {
  const usual = Math.min(mostForTrials, Math.floor(availableParallelism() / 2));
  return oneIfFixed(system, given, Math.max(1, usual));
}

/** An attempt under a mutant mostly waits, so there may be more services than cores. */
export function environmentsForMutants(system: System, given: number | undefined): number {
  const services = Math.max(1, system.services.length);
  const usual = Math.min(mostForMutants, Math.floor((availableParallelism() * servicesForACore) / services));
  return oneIfFixed(system, given, Math.max(2, usual));
}

function oneIfFixed({ services }: System, given: number | undefined, usual: number): number {
  const fixed = services.find(
    (service) => !hasOwnPorts(service) && service.listen.some(({ how }) => how.by === 'fixed'),
  );
  if (!fixed) return given ?? usual;
  if (given === undefined || given === 1) return 1;
  throw badUsage(
    '--parallel',
    `service ${fixed.name} has a fixed port, which only one environment at a time can have`,
    '1 with a fixed port',
    'let Shakedown choose the port: `listen: { env: PORT }`',
  );
}
