/** The gates that `--gate` names: those of the config, and the usual ones. */
import { nearest } from '../../kernel/nearest.ts';
import { badUsage } from '../../kernel/problem.ts';
import type { Gate, System } from '../../system/system.ts';

/**
 * What most teams mean by these names; a gate of the config replaces the one of the same name. What they
 * demand of requirements applies only where some are declared; no list of priorities means all of them.
 */
const usualGates: Readonly<Record<string, Gate>> = {
  pr: { priority: ['p0'], skips: 'forbid', requirements: { covered: ['p0'] } },
  nightly: { priority: ['p0', 'p1'], requirements: { covered: ['p0', 'p1'] } },
  weekly: { requirements: {} },
};

export function findGate(name: string | undefined, { gates: declared }: System): Gate | undefined {
  if (name === undefined) return undefined;
  const gates = { ...usualGates, ...declared };
  const gate = Object.hasOwn(gates, name) ? gates[name] : undefined;
  if (gate) return gate;
  const guess = nearest(name, Object.keys(gates));
  throw badUsage(
    '--gate',
    `there is no gate ${JSON.stringify(name)}`,
    Object.keys(gates).join(', '),
    guess ? `did you mean \`--gate ${guess}\`?` : 'declare it in the config under `gates`',
  );
}
