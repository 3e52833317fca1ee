/** Makes the networks of containers: a small one for each, whose gateway is an address of this machine for its taps. */
import type { Clock } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/problem.ts';
import { createRandom } from '../../kernel/random.ts';
import { EngineRefusal } from './engine/engine-http.ts';
import { engineLimits } from './engine/engine-limits.ts';
import { engineProblem } from './engine/engine-problem.ts';
import { createNetwork } from './engine/network-calls.ts';
import type { Engine } from './engine/open-engine.ts';
import { retried } from './engine/transient.ts';
import type { Makings } from './makings.ts';

export interface MadeNetwork {
  readonly name: string;
  readonly gateway: string;
}

export interface NetworkNeeds {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly makings: Makings;
  readonly labels: Readonly<Record<string, string>>;
}

const taken = /overlap|conflicts? with/i;

/** Chooses among 16 addresses each of 10.90.0.0/16; what overlaps with another network of this machine is not used. */
export async function makeNetwork(needs: NetworkNeeds, name: string): Promise<MadeNetwork> {
  const { engine, clock, makings, labels } = needs;
  // By its name, not by the seed: environments with one seed do not meet.
  const random = createRandom(name);
  let last: unknown;
  for (let attempt = 0; attempt < engineLimits.subnets; attempt += 1) {
    const block = random.integer(0, 4_095);
    const base = `10.90.${block >> 4}`;
    const first = (block & 15) * 16;
    const gateway = `${base}.${first + 1}`;
    try {
      const wish = { name, labels, subnet: `${base}.${first}/28`, gateway };
      await makings.make('network', name, () => retried(clock, undefined, () => createNetwork(engine, wish)));
      return { name, gateway };
    } catch (error) {
      if (!(error instanceof EngineRefusal && taken.test(error.said)))
        throw engineProblem(error, `network ${name}`);
      last = error;
    }
  }
  throw noneFree(name, last);
}

function noneFree(name: string, last: unknown): Problem {
  return new Problem({
    code: 'world.engine-refused',
    where: `network ${name}`,
    what: `none of ${engineLimits.subnets} address ranges in 10.90.0.0/16 is free: ${String(last)}`,
    allowed: 'room for a /28 network for each container',
    next: 'remove networks that nothing uses: docker network prune',
  });
}
