/** Attaches to a service that somebody else has started: waits until it answers, and lets the taps lead to it. */
import { waitFor } from '../kernel/deadline.ts';
import { formatDuration } from '../kernel/duration.ts';
import { limits } from '../kernel/limits.ts';
import { Problem } from '../kernel/problem.ts';
import { type AtAddress, atAddress, filledAt } from '../system/attached/at-address.ts';
import type { AttachedSpec } from '../system/attached/attached-services.ts';
import { checkedAddresses, firstReachable } from './attached/find-address.ts';
import { openSecureRelay } from './attached/secure-relay.ts';
import { type EnvironmentContext, nodeOf } from './environment-context.ts';
import { waitUntilReady } from './readiness/wait-until-ready.ts';

export async function bootAttached(
  context: EnvironmentContext,
  spec: AttachedSpec,
  signal: AbortSignal,
): Promise<void> {
  const { clock, emit } = context;
  const node = nodeOf(context, spec.name);
  for (const { name: listener, how } of spec.listen) {
    if (how.by !== 'at') continue;
    const at = atAddress(filledAt(how.at, context.hostEnv) ?? '');
    if (!at) throw badAddress(spec, how.at);
    const address = await findIt(context, spec, at, signal);
    const relay = at.isSecure ? await openSecureRelay(address, at) : undefined;
    node.attached = {
      origins: [...(node.attached?.origins ?? []), at.origin],
      relays: [...(node.attached?.relays ?? []), ...(relay ? [relay] : [])],
    };
    const { host, port } = relay?.address ?? { host: address, port: at.port };
    node.addresses.set(listener, { host, port, authority: at.authority });
    emit({ type: 'node.attached', kind: 'service', name: spec.name, url: at.origin, address });
  }
  const readiness = await waitUntilReady(
    spec.ready,
    {
      name: spec.name,
      clock,
      logFile: node.logFile,
      logOffset: 0,
      address: (listener) => node.addresses.get(listener ?? spec.listen[0]?.name ?? ''),
      runCommand: () => Promise.reject(new Error('an attached service runs no command of ours')),
    },
    signal,
  );
  if (!readiness.ready) throw isDown(spec, readiness.saw);
  node.state = 'ready';
}

/** Names are resolved again for each try, and what was resolved is what is checked and called. */
async function findIt(
  { clock }: EnvironmentContext,
  spec: AttachedSpec,
  at: AtAddress,
  signal: AbortSignal,
): Promise<string> {
  let saw = '';
  const look = async (): Promise<string | undefined> => {
    signal.throwIfAborted();
    const one = AbortSignal.any([signal, AbortSignal.timeout(limits.readinessProbeMs)]);
    const where = `service ${spec.name}, \`at\``;
    const found = await checkedAddresses(where, at, spec.attached.allow)
      .then((addresses) => firstReachable(addresses, at, one))
      .catch((error: unknown) => {
        if (error instanceof Problem) throw error;
        return { saw: error instanceof Error ? error.message : String(error) };
      });
    if ('address' in found) return found.address;
    saw = `${at.origin}: ${found.saw}`;
    return undefined;
  };
  const found = await waitFor(clock, { withinMs: spec.ready.withinMs, mostMs: 250, signal }, look);
  if (found === undefined) throw isDown(spec, saw);
  return found;
}

/** Who owns it can start it; we cannot. */
function isDown({ name, ready, listen }: AttachedSpec, saw: string): Problem {
  const written = listen.flatMap(({ how }) => (how.by === 'at' ? [how.at] : []));
  return new Problem({
    code: 'world.unreachable',
    where: `service ${name}, \`at\``,
    what: `it is somebody else's, and it is not there: within ${formatDuration(ready.withinMs)} it was not ready; the last found: ${saw}`,
    allowed: `a service that somebody has started at ${written.join(', ')}: Shakedown attaches to it and never starts it`,
    next: 'start it where it runs, or ask who does; correct `at`, or give `run`, `image` or `build` instead',
  });
}

/** It was well-formed when the config was read: a variable has changed. */
function badAddress({ name }: AttachedSpec, written: string): Problem {
  return new Problem({
    code: 'config.bad-value',
    where: `service ${name}, \`at\``,
    what: `with its variables filled in, ${JSON.stringify(written)} is no address`,
    allowed: 'an address such as `http://127.0.0.1:8080`',
    next: 'correct the variables that it names',
  });
}
