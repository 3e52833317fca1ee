/** The option `--containment`. */
import type { Containment } from '../environment/containment/containment.ts';
import { Problem } from '../kernel/problem.ts';
import { type Call, optionText } from './verb.ts';

export function wantedContainment(call: Call, verb: string): Containment | undefined {
  const given = optionText(call, 'containment');
  if (given === undefined || given === 'namespace' || given === 'ledger') return given;
  throw new Problem({
    code: 'usage.bad-value',
    where: `shakedown ${verb} --containment`,
    what: `${JSON.stringify(given)} is no way to hold processes together`,
    allowed: 'namespace, ledger',
    next: 'leave the option out: the best that this machine permits is taken',
  });
}
