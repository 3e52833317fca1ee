/** The path from the top of a document down to one value, and its printed form. */
import { isContainer } from '../../kernel/exact-json.ts';

export type DocumentPath = readonly (string | number)[];

/** `services.health.run[0]`; the top itself is `the document`. */
export function formatPath(path: DocumentPath): string {
  if (path.length === 0) return 'the document';
  return path
    .map((step, index) => (typeof step === 'number' ? `[${step}]` : `${index > 0 ? '.' : ''}${quoted(step)}`))
    .join('');
}

/** The value at the end of the path, or undefined when there is none. */
export function valueAt(document: unknown, path: DocumentPath): unknown {
  let value = document;
  for (const step of path) {
    if (!isContainer(value) || !Object.hasOwn(value, step)) return undefined;
    value = Reflect.get(value, step);
  }
  return value;
}

function quoted(step: string): string {
  return /^[\w$-]+$/.test(step) ? step : JSON.stringify(step);
}
