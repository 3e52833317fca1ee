/** A name of the system, made of a name of something else. */
import { systemName } from '../compose/compose-names.ts';

/** `@acme/Web_App` becomes `acme-web-app`. */
export function derivedName(name: string): string {
  return systemName(name.replace(/^[^A-Za-z0-9]+/, '')).replace(/-+$/, '') || 'system';
}
