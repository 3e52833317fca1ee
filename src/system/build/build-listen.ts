/** Turns the listeners of a service, as written, into what the environment works from. */
import { addressesAt, spokenAt } from '../attached/at-address.ts';
import type { ListenDocument, ListenerDocument } from '../document/listen-document.ts';
import type { ServiceDocument } from '../document/program-document.ts';
import type { ListenSpec } from '../system.ts';

export function buildListen(document: ListenDocument | undefined): ListenSpec[] {
  return listenersOf(document).map((listener, index) => ({
    name: listener.name ?? (index === 0 ? 'main' : `listener-${index + 1}`),
    scheme: listener.scheme ?? 'http',
    ...(listener.hostHeader === 'own' ? { hostHeader: 'own' } : {}),
    how: howOf(listener),
  }));
}

/** Of a service that is attached, its addresses are its listeners. */
export function listenersAt({ at, listen }: Pick<ServiceDocument, 'at' | 'listen'>): ListenSpec[] {
  if (at === undefined) return buildListen(listen);
  return addressesAt(at).map(([name, written]) => {
    const scheme = spokenAt(written);
    return {
      name,
      scheme,
      ...(scheme === 'http' ? { hostHeader: 'own' } : {}),
      how: { by: 'at', at: written },
    };
  });
}

/** One listener or several, always as a list of maps. */
export function listenersOf(document: ListenDocument | undefined): ListenerDocument[] {
  if (document === undefined) return [];
  const list = Array.isArray(document) ? document : [document];
  return list.map((listener) => {
    if (listener === 'auto') return { auto: true as const };
    return typeof listener === 'number' ? { port: listener } : listener;
  });
}

function howOf({ env, log, port }: ListenerDocument): ListenSpec['how'] {
  if (env !== undefined) return { by: 'env', variable: env };
  if (log !== undefined) return { by: 'log', pattern: log };
  return port === undefined ? { by: 'reference' } : { by: 'fixed', port };
}
