/** The options of `sabotage --live`, read and checked. */
import { availableParallelism } from 'node:os';
import { parseDuration } from '../../kernel/duration.ts';
import { Problem } from '../../kernel/problem.ts';
import type { System } from '../../system/system.ts';
import { type Call, type OptionSpec, optionText } from '../verb.ts';

export const liveOptions: Readonly<Record<string, OptionSpec>> = {
  live: {
    type: 'boolean',
    help: 'boot the system and let each service in turn be dead, talk junk, answer with what is another’s',
  },
  within: {
    type: 'string',
    value: 'TIME',
    help: 'with --live: begin nothing more after this time, such as 60s',
  },
  parallel: { type: 'string', value: 'N', help: 'with --live: how many environments at once' },
  containment: {
    type: 'string',
    value: 'HOW',
    help: 'with --live: namespace or ledger; default: the best that this machine permits',
  },
};

/** Undefined: as long as it takes. */
export function withinOption(call: Call): number | undefined {
  const given = optionText(call, 'within');
  if (given === undefined) return undefined;
  const ms = parseDuration(given);
  if (ms !== undefined && ms > 0) return ms;
  throw badValue('within', given, 'a duration such as 60s or 5m', 'write for example `--within 60s`');
}

const mostAtOnce = 64;
const mostByDefault = 8;
const servicesForACore = 8;

/** Most of an attempt is waiting, so that there may be more services than cores. */
export function liveParallel(call: Call, { services }: System): number {
  const given = optionText(call, 'parallel');
  const isFixed = services.some(({ listen }) => listen.some(({ how }) => how.by === 'fixed'));
  if (given === undefined) return isFixed ? 1 : Math.max(2, Math.min(mostByDefault, atOnce(services.length)));
  const number = Number(given);
  if (Number.isInteger(number) && number >= 1 && number <= mostAtOnce && !(isFixed && number > 1))
    return number;
  throw badValue(
    'parallel',
    given,
    isFixed ? '1: a service has a fixed port' : `a whole number from 1 to ${mostAtOnce}`,
    'leave the option out',
  );
}

function atOnce(services: number): number {
  return Math.floor((availableParallelism() * servicesForACore) / Math.max(1, services));
}

/** What makes no sense without `--live`. */
export function refuseWithoutLive(call: Call): void {
  const stray = ['within', 'parallel', 'containment'].find((name) => call.options[name] !== undefined);
  if (stray !== undefined && call.options.live !== true)
    throw badValue(
      stray,
      String(call.options[stray]),
      'together with --live',
      'add `--live`, or leave it out',
    );
}

function badValue(name: string, given: string, allowed: string, next: string): Problem {
  return new Problem({
    code: 'usage.bad-value',
    where: `shakedown sabotage --${name}`,
    what: `${JSON.stringify(given)} cannot be used here`,
    allowed,
    next,
  });
}
