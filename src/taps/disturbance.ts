/** Every disturbance a tap can apply to its edge, as plain data, and the rule that applies it. */
import type { Random } from '../kernel/random.ts';
import { type Cut, cutRule } from './rules/cut.ts';
import { type Delay, delayRule } from './rules/delay.ts';
import { type Deny, denyRule } from './rules/deny.ts';
import { type Garble, garbleRule } from './rules/garble.ts';
import { type Hold, holdRule } from './rules/hold.ts';
import { type Pass, passRule } from './rules/pass.ts';
import { type Refuse, refuseRule } from './rules/refuse.ts';
import type { Rule } from './rules/rule.ts';

export type Disturbance = Pass | Refuse | Deny | Cut | Delay | Hold | Garble;

/** A rule draws from the random stream; the same stream gives the same disturbance. */
export function ruleFor(disturbance: Disturbance, random: Random): Rule {
  switch (disturbance.rule) {
    case 'pass':
      return passRule();
    case 'refuse':
      return refuseRule(disturbance);
    case 'cut':
      return cutRule(disturbance);
    case 'delay':
      return delayRule(disturbance, random);
    case 'hold':
      return holdRule(disturbance);
    case 'deny':
      return denyRule();
    case 'garble':
      return garbleRule(disturbance, random);
  }
}
