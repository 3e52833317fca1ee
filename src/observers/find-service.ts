/** Finds a service of the environment by its name, or says which names there are. */
import type { EnvironmentFacts, ServiceFacts } from '../journal/environment-facts.ts';
import { nearest } from '../kernel/nearest.ts';
import { ObservationError } from './observer.ts';

/** `others` can be named instead. */
export function findService(
  facts: EnvironmentFacts,
  name: string,
  others: readonly { readonly name: string }[] = [],
): ServiceFacts {
  const found = facts.services.find((service) => service.name === name);
  if (found?.attached)
    throw new ObservationError(
      `${name} is somebody else's (\`at\`): its process, files and log cannot be seen; see what passes with \`calls\``,
    );
  if (found) return found;
  const names = [...facts.services, ...others].map((one) => one.name);
  throw new ObservationError(`there is no service ${name}; ${suggest(name, names, 'the services are')}`);
}

/** `did you mean health?`, or a list of what there is when nothing is near. */
export function suggest(word: string, names: readonly string[], listed: string): string {
  const near = nearest(word, names);
  if (near !== undefined) return `did you mean ${near}?`;
  if (names.length === 0) return 'there is none at all';
  const shown = [...names].sort().slice(0, 20);
  return `${listed} ${shown.join(', ')}${names.length > shown.length ? ', …' : ''}`;
}
