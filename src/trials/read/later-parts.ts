/** Keys of the grammar that this version does not understand yet, told by name. */
import type { Problem } from '../../kernel/problem.ts';
import { type Placed, problemAt } from './placed.ts';

const later: Readonly<Record<string, string>> = {
  model: 'scripts for a model provider; let a service of the system stand for the model',
  disturb: 'disturbances in a trial',
};

/** The document without them: what is told once by name is not told again as unknown. */
export function withoutLaterParts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !Object.hasOwn(later, key)));
}

export function laterParts(root: Placed<unknown>): Problem[] {
  if (typeof root.value !== 'object' || root.value === null) return [];
  return Object.keys(root.value)
    .filter((key) => Object.hasOwn(later, key))
    .map((key) =>
      problemAt(root, 'key', [key], {
        code: 'config.not-yet',
        what: `\`${key}\`: this version has no ${later[key]}`,
        allowed: 'steps and checks without it',
        next: `remove \`${key}\``,
      }),
    );
}
