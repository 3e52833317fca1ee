/** Chooses one value for each name of the config's matrix. */
import { nearest } from '../../kernel/nearest.ts';
import { badUsage } from '../../kernel/problem.ts';
import type { System } from '../../system/system.ts';

/** `given` is `NAME=VALUE,NAME=VALUE`; other names have their first value. */
export function chooseVariant(
  { matrix }: Pick<System, 'matrix'>,
  given: string | undefined,
): Readonly<Record<string, string>> {
  const usual = Object.entries(matrix).map(([name, values]) => [name, values[0] ?? '']);
  const chosen = (given ?? '')
    .split(',')
    .filter(Boolean)
    .map((word) => chooseOne(matrix, word));
  refuseTwo(chosen);
  return Object.fromEntries([...usual, ...chosen]) as Record<string, string>;
}

/** Of two values, only one can be meant. */
function refuseTwo(chosen: readonly (readonly [string, string])[]): void {
  const values = new Map<string, string>();
  for (const [name, value] of chosen) {
    const before = values.get(name) ?? value;
    values.set(name, value);
    if (before === value) continue;
    throw badUsage(
      '--variant',
      `\`${name}\` is given twice: ${before} and ${value}`,
      'one value for each name of the matrix',
      `keep one of them; for each value, one run: --variant ${name}=${before}, then --variant ${name}=${value}`,
    );
  }
}

function chooseOne(matrix: System['matrix'], word: string): readonly [string, string] {
  const [name = '', ...rest] = word.split('=');
  const value = rest.join('=');
  const values = Object.hasOwn(matrix, name) ? matrix[name] : undefined;
  if (values?.includes(value)) return [name, value];
  const names = Object.keys(matrix);
  const close = values ? nearest(value, values) : nearest(name, names);
  throw badUsage(
    '--variant',
    values ? `\`${name}\` has no value ${JSON.stringify(value)}` : `the matrix has no \`${name}\``,
    values ? values.join(', ') : names.join(', ') || 'the config has no matrix',
    close
      ? `did you mean \`${values ? `${name}=${close}` : close}\`?`
      : 'write it as in `matrix` in the config',
  );
}
