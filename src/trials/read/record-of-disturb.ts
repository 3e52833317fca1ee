/** The record of a disturbance that is judged: where it was placed, and a short description. */
import type { DisturbRecord } from '../../checks/trial-record.ts';
import type { ExchangeFault } from '../../taps/exchanges/exchange-rule.ts';
import type { Disturb } from '../trial.ts';

export function recordOfDisturb({ from, to, rule }: Disturb): DisturbRecord {
  const crossing = rule.crossing === undefined ? '' : ` crossing ${[rule.crossing].flat().join(', ')}`;
  const times = rule.crossing === undefined ? 1 : new Set([rule.crossing].flat()).size;
  return {
    times,
    name: rule.name,
    edge: `${from} -> ${to}`,
    fault: rule.fault.do,
    fails: makesFail(rule.fault),
    what: `${inWords(rule.fault)}${crossing}`,
  };
}

function makesFail(fault: ExchangeFault): boolean {
  return fault.do === 'answer' ? fault.status >= 400 : ['cut', 'hold', 'drop'].includes(fault.do);
}

function inWords(fault: ExchangeFault): string {
  switch (fault.do) {
    case 'delay':
      return `delay the ${fault.of} by ${fault.ms} ms`;
    case 'cut':
      return `cut at ${JSON.stringify(fault.at)} by ${fault.by}`;
    case 'hold':
      return `hold at ${JSON.stringify(fault.at)}`;
    case 'answer':
      return `answer ${fault.status} instead`;
    case 'duplicate':
      return fault.what === 'request' ? 'send the request twice' : `send event ${fault.event} twice`;
    case 'drop':
      return `drop event ${fault.event}`;
    case 'reorder':
      return `swap events ${fault.events.join(' and ')}`;
    case 'shape':
      return `shape ${fault.shape}`;
  }
}
