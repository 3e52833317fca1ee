/** The record of a disturbance that is judged: where it was placed, and a short description. */
import type { DisturbRecord } from '../../checks/trial-record.ts';
import type { ExchangeFault } from '../../taps/exchanges/exchange-rule.ts';
import type { Disturb } from '../trial.ts';

export function recordOfDisturb({ from, to, rule }: Disturb): DisturbRecord {
  const crossings = rule.crossing === undefined ? [] : [rule.crossing].flat();
  const crossing = crossings.length === 0 ? '' : ` crossing ${crossings.join(', ')}`;
  return {
    times: rule.crossing === undefined ? 1 : new Set(crossings).size,
    name: rule.name,
    edge: `${from} -> ${to}`,
    fault: rule.fault.do,
    fails: makesFail(rule.fault),
    what: `${(inWords[rule.fault.do] as (fault: ExchangeFault) => string)(rule.fault)}${crossing}`,
  };
}

function makesFail(fault: ExchangeFault): boolean {
  return fault.do === 'answer' ? fault.status >= 400 : ['cut', 'hold', 'drop'].includes(fault.do);
}

const inWords: { readonly [Kind in ExchangeFault['do']]: (fault: FaultOf<Kind>) => string } = {
  delay: ({ of, ms }) => `delay the ${of} by ${ms} ms`,
  cut: ({ at, by }) => `cut at ${JSON.stringify(at)} by ${by}`,
  hold: ({ at }) => `hold at ${JSON.stringify(at)}`,
  answer: ({ status }) => `answer ${status} instead`,
  duplicate: (fault) =>
    fault.what === 'request' ? 'send the request twice' : `send event ${fault.event} twice`,
  drop: ({ event }) => `drop event ${event}`,
  reorder: ({ events }) => `swap events ${events.join(' and ')}`,
  shape: ({ shape }) => `shape ${shape}`,
  wrong: () => 'answer with other values',
};

type FaultOf<Kind> = Extract<ExchangeFault, { readonly do: Kind }>;
