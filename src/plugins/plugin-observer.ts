/** The observer of a check that a plugin brings. */
import type { ListenerFacts } from '../journal/environment-facts.ts';
import { isMap } from '../kernel/is-map.ts';
import { type Spec, serviceTarget } from '../kinds/kind/step-kind.ts';
import { isMatch, refuseBadWhere } from '../observers/keep-matching.ts';
import { ObservationError, type Observer, type ObserverContext, watching } from '../observers/observer.ts';
import type { PluginSpec } from '../system/system.ts';
import { attemptPlugin } from './attempt-plugins.ts';
import type { CheckDescription } from './description.ts';
import { pluginLimits } from './plugin-limits.ts';
import { type Message, PluginBroken } from './plugin-process.ts';

export function pluginObserver(
  spec: PluginSpec,
  key: string,
  described: CheckDescription,
  folder: string,
): Observer<Spec> {
  const ask = async ({ programs, clock, signal }: ObserverContext, request: Message): Promise<Message> => {
    if (!programs) throw new ObservationError(`\`${key}\` can be observed only during an attempt`);
    try {
      const process = await attemptPlugin(spec, programs.resources, { ...programs, clock, folder });
      const { lookMs: timeoutMs, graceMs } = pluginLimits;
      const asked = { do: 'look', kind: key, timeoutMs, ...request };
      return await process.ask(asked, { withinMs: timeoutMs + graceMs, signal });
    } catch (error) {
      if (error instanceof PluginBroken) throw new ObservationError(error.message);
      throw error;
    }
  };
  const look = async (context: ObserverContext, { where, ...query }: Spec): Promise<unknown> => {
    refuseBadWhere(where);
    const target = described.target ? { target: await addressOf(String(query[key]), context) } : {};
    const observed = observedIn(spec, key, described, await ask(context, { query, ...target }));
    return Array.isArray(observed) ? observed.filter((element) => isMatch(where, element)) : observed;
  };
  return {
    name: key,
    open: async (context) => {
      if (described.comparesWithBefore)
        await ask(context, { before: true, services: await servicesOf(context) });
      return watching(context, (query) => look(context, query)); // it ends with the attempt
    },
  };
}

/** The services themselves, not through a tap: a look is not traffic of the system. */
async function servicesOf(
  context: ObserverContext,
): Promise<Readonly<Record<string, readonly ListenerFacts[]>>> {
  const { services } = await context.facts();
  return Object.fromEntries(services.map(({ name, listeners }) => [name, listeners]));
}

async function addressOf(named: string, context: ObserverContext): Promise<Message> {
  const { name, listener } = serviceTarget(named);
  const listeners = (await servicesOf(context))[name] ?? [];
  const found = listener === undefined ? listeners[0] : listeners.find((one) => one.name === listener);
  if (!found) throw new ObservationError(`${named} does not listen now`, 'later');
  return { ...found, name: named };
}

function observedIn(
  { name }: PluginSpec,
  key: string,
  { gives }: CheckDescription,
  answer: Message,
): unknown {
  const { observed, error } = answer;
  if (error !== undefined && error !== null) {
    const { message, retry } = isMap(error) ? error : { message: error, retry: false };
    throw new ObservationError(String(message), retry === true ? 'later' : 'never');
  }
  const fits = gives === 'list' ? Array.isArray(observed) : isMap(observed);
  if (!fits)
    throw new ObservationError(
      `the plugin \`${name}\` answered \`${key}\` with something that is not a ${gives}`,
    );
  return observed;
}
