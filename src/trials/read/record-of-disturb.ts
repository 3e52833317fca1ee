/** What is judged of a disturbance: where it was placed, and in a few words what it does. */
import type { DisturbRecord } from '../../checks/trial-record.ts';
import type { ExchangeDeed } from '../../taps/exchanges/exchange-rule.ts';
import type { Disturb } from '../trial.ts';

export function recordOfDisturb({ from, to, rule }: Disturb): DisturbRecord {
  const crossing = rule.crossing === undefined ? '' : ` crossing ${[rule.crossing].flat().join(', ')}`;
  const times = rule.crossing === undefined ? 1 : new Set([rule.crossing].flat()).size;
  return { times, name: rule.name, edge: `${from} -> ${to}`, what: `${inWords(rule.deed)}${crossing}` };
}

function inWords(deed: ExchangeDeed): string {
  switch (deed.do) {
    case 'delay':
      return `delay the ${deed.of} by ${deed.ms} ms`;
    case 'cut':
      return `cut at ${JSON.stringify(deed.at)} by ${deed.by}`;
    case 'hold':
      return `hold at ${JSON.stringify(deed.at)}`;
    case 'answer':
      return `answer ${deed.status} instead`;
    case 'duplicate':
      return deed.what === 'request' ? 'send the request twice' : `send event ${deed.event} twice`;
    case 'drop':
      return `drop event ${deed.event}`;
    case 'reorder':
      return `swap events ${deed.events.join(' and ')}`;
    case 'shape':
      return `shape ${deed.shape}`;
  }
}
