/** Where a step may follow a redirect of a service that is somebody else's: back to it, or to an address that was checked. */
import type { Address, Redirected } from '../../drivers/driver.ts';
import { checkedAddresses, firstReachable } from '../../environment/attached/find-address.ts';
import { serviceTarget } from '../../kinds/kind/step-kind.ts';
import { atAddress, filledAt } from '../../system/attached/at-address.ts';
import { type AttachedSpec, isAttached } from '../../system/attached/attached-services.ts';
import type { LiveEnvironment } from './live-environment.ts';

/** Undefined for services of our own: they may point wherever they want. */
export function redirected(
  { system, hostEnv }: Pick<LiveEnvironment, 'system' | 'hostEnv'>,
  addressOf: (target: string) => Address,
  target: string,
  url: string,
): Promise<Redirected> | undefined {
  const { name } = serviceTarget(target);
  const spec = system.services.find((service) => service.name === name);
  if (!spec || !isAttached(spec)) return undefined;
  const to = atAddress(new URL(url).origin);
  const own = to && spec.listen.find(({ how }) => how.by === 'at' && originAt(how.at, hostEnv) === to.origin);
  if (own) return Promise.resolve({ origin: addressOf(`${name}.${own.name}`).url });
  return checked(spec, url);
}

/** Its own name leads through its tap; each other name is resolved once, here. */
async function checked({ name, attached }: AttachedSpec, url: string): Promise<Redirected> {
  const to = atAddress(new URL(url).origin);
  if (!to) throw new Error(`${url} cannot be followed`);
  const addresses = await checkedAddresses(`the redirect of ${name}`, to, attached.allow);
  const found = await firstReachable(addresses, to, AbortSignal.timeout(patienceMs));
  return { address: 'address' in found ? found.address : (addresses[0] ?? to.host) };
}

const patienceMs = 5_000;

function originAt(written: string, hostEnv: LiveEnvironment['hostEnv']): string | undefined {
  return atAddress(filledAt(written, hostEnv) ?? '')?.origin;
}
