/** Hides an API key that was written in place of the name of its variable from errors, logs and bug reports. */
import { type Problem, problemFromData, problemToData } from '../../kernel/problem.ts';
import { attachedAddresses, plainLogin } from '../attached/at-address.ts';
import type { DocumentPath } from '../source/document-path.ts';

/** A place that holds the name of the variable with the key to a real provider or third party. */
export function isKeyPlace(path: DocumentPath): boolean {
  const [root, , part] = path;
  return root === 'resources' && (part === 'upstreams' || part === 'upstream') && path.at(-1) === 'key';
}

/** The same problems, without the API keys of the document in the lines that are shown. */
export function hideTypedKeys(problems: readonly Problem[], document: unknown): Problem[] {
  const keys = typedKeys(document).sort((a, b) => b.length - a.length);
  if (keys.length === 0) return [...problems];
  const hide = (text: string): string =>
    keys.reduce((rest, key) => rest.replaceAll(key, '•'.repeat(key.length)), text);
  return problems.map((problem) => {
    const { where } = problem;
    if (typeof where === 'string' || where.excerpt === undefined) return problem;
    return problemFromData({ ...problemToData(problem), where: { ...where, excerpt: hide(where.excerpt) } });
  });
}

/** The name of a variable is not a secret. */
function typedKeys(document: unknown): string[] {
  const ofAddresses = attachedAddresses(document).flatMap((address) => plainLogin(address) ?? []);
  const ofResources = Object.values(mapOf(mapOf(document).resources)).flatMap((resource) => {
    const { upstream, upstreams } = mapOf(resource);
    return [upstream, ...Object.values(mapOf(upstreams))].flatMap((one) => {
      const { key } = mapOf(one);
      return typeof key === 'string' && key.length > 3 && !/^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? [key] : [];
    });
  });
  return [...ofAddresses, ...ofResources];
}

function mapOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {};
}
