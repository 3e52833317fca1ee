/** A config for a service that is up already: nothing is started, and it is called where it is. */

import { reachOf, usualHost } from '../../kernel/ip-address.ts';
import { Problem } from '../../kernel/problem.ts';
import { type DerivedConfig, printSystem } from './derived-config.ts';

interface AddressRequest {
  readonly source: string;
  readonly folder: string;
}

/** Only of this machine: others have to be allowed, with a reason that somebody writes. */
export function deriveAddress({ source, folder }: AddressRequest): DerivedConfig {
  const url = URL.canParse(source) ? new URL(source) : undefined;
  const host = usualHost(url?.hostname ?? '');
  const isHere = host === 'localhost' || reachOf(host) === 'loopback';
  const hasLogin = url !== undefined && `${url.username}${url.password}` !== '';
  if (url === undefined || !isHere || hasLogin || !/^https?:$/.test(url.protocol))
    throw notHere(
      hasLogin ? 'the address has a login' : `${url?.origin ?? source} is no address on this machine`,
    );
  const system = {
    source: url.origin,
    name: 'attached',
    comments: ['Somebody else starts and ends it, so nothing of it is renewed between trials.'],
    resources: {},
    programs: [
      {
        name: 'api',
        keys: { at: url.origin, ready: { tcp: true, within: '5s' } },
        comments: ['? Its name, and what it calls: those can be services, too.'],
      },
    ],
  };
  return {
    source: url.origin,
    folder,
    notes: [],
    isThere: true,
    yaml: (learned) => printSystem(system, learned),
  };
}

function notHere(what: string): Problem {
  return new Problem({
    code: 'usage.bad-value',
    where: 'shakedown init --from',
    what,
    allowed: 'an address such as http://127.0.0.1:8080, without a login',
    next: 'for another machine, write `at` by hand, and allow its address with the reason',
  });
}
