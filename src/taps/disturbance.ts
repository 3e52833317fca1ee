/** Every disturbance a tap can apply to its edge, as plain data, and the rule that applies it. */
import type { Random } from '../kernel/random.ts';
import { type Delay, delayGate } from './rules/delay.ts';
import { type Garble, garbleRule } from './rules/garble.ts';
import type { CutBy, Direction, Gate, Rule, RuledLane } from './rules/rule.ts';
import { type Wrong, wrongRule } from './rules/wrong.ts';

export type Disturbance = Pass | Refuse | Deny | Cut | Delay | Hold | Garble | Wrong;

/** Disturbs nothing: a tap begins with it, and it lifts any other. */
interface Pass {
  readonly rule: 'pass';
}

/** Closes the port: clients get ECONNREFUSED, as if nothing had ever listened there. */
interface Refuse {
  readonly rule: 'refuse';
  /** Open connections continue unless requested otherwise. */
  readonly existing?: 'keep' | 'reset';
}

/**
 * The provider is gone: open connections are reset, and new ones are reset at once. Unlike `refuse`, where the kernel
 * refuses uncounted, every connection attempt is recorded as `connection.refused` because of a rule, and every reset
 * is felt. So it is known which consumers met it.
 */
interface Deny {
  readonly rule: 'deny';
}

/** Nothing is forwarded until it is lifted; a full tap then stops the sender. */
interface Hold {
  readonly rule: 'hold';
  readonly direction?: Direction | 'both';
}

/** Ends a connection, at once or after an exact number of bytes of one direction. */
interface Cut {
  readonly rule: 'cut';
  /** Whose bytes count; `both` counts each direction for itself. The end is always that of the whole connection. */
  readonly direction: Direction | 'both';
  /** Counted from when the rule was placed, or from the connection's beginning where that is later. Absent: at once. */
  readonly afterBytes?: number;
  readonly by: CutBy;
}

/** A rule draws from the random stream; the same stream gives the same disturbance. */
export function ruleFor(disturbance: Disturbance, random: Random): Rule {
  const { rule: kind } = disturbance;
  switch (disturbance.rule) {
    case 'pass':
      return { kind, listens: true, gate: () => undefined };
    case 'refuse': {
      const cuts = disturbance.existing === 'reset';
      return { kind, listens: false, gate: () => (cuts ? cutGate('reset', 0) : undefined) };
    }
    case 'deny':
      return { kind, listens: true, admits: false, gate: resetGate };
    case 'hold':
      return within(disturbance, () => ({ decide: () => ({ then: 'wait' }) }));
    case 'cut':
      return within(disturbance, () => cutGate(disturbance.by, disturbance.afterBytes ?? 0));
    case 'delay':
      return within(disturbance, ({ direction, connection }) =>
        delayGate(disturbance, random.fork(`${connection}/${direction}`)),
      );
    case 'garble':
      return garbleRule(random);
    case 'wrong':
      return wrongRule();
  }
}

/** A rule for the directions that it is told to take. */
function within(
  { rule: kind, direction = 'both' }: Hold | Cut | Delay,
  gate: (lane: RuledLane) => Gate,
): Rule {
  const covers = (lane: RuledLane): boolean => direction === 'both' || direction === lane.direction;
  return { kind, listens: true, gate: (lane) => (covers(lane) ? gate(lane) : undefined) };
}

/** Reported once for each connection that was open. */
function resetGate({ direction, felt }: RuledLane): Gate {
  if (direction === 'sent') felt?.('an open connection was reset');
  return cutGate('reset', 0);
}

function cutGate(by: CutBy, afterBytes: number): Gate {
  let leftBytes = afterBytes;
  return {
    decide: (front) => {
      if (leftBytes === 0) return { then: 'cut', by, afterDelivery: afterBytes > 0 };
      const bytes = Math.min(leftBytes, front?.length ?? 0);
      leftBytes -= bytes;
      return { then: 'pass', bytes };
    },
  };
}
