/** Modes of files that a `where` names, in the spelling in which they are shown: `0644` is `644`. Pure. */
import { isPlainMap } from '../../patterns/plain-value.ts';
import { printValue } from '../../patterns/print-value.ts';
import { ObservationError } from '../observer.ts';

/** What cannot be a mode would match nothing, which looks just like "there is no such file". */
export function withOctalModes(where: unknown): unknown {
  return changeEntries(where, (key, pattern) => {
    if (key === 'mode') return inMode(pattern);
    return inLogic(key, pattern, withOctalModes);
  });
}

function inMode(pattern: unknown): unknown {
  if (!isPlainMap(pattern)) return Array.isArray(pattern) ? pattern : octal(pattern);
  return changeEntries(pattern, (key, operand) =>
    key === '$eq' || key === '$ne' ? inMode(operand) : inLogic(key, operand, inMode),
  );
}

function inLogic(key: string, operand: unknown, change: (part: unknown) => unknown): unknown {
  if (key === '$not') return change(operand);
  return (key === '$any' || key === '$all') && Array.isArray(operand) ? operand.map(change) : operand;
}

/** A number is refused: of `0644`, YAML makes 644 or 420. */
function octal(mode: unknown): string {
  const [, digits] = (typeof mode === 'string' && /^(?:0o)?0*([0-7]{1,4})$/.exec(mode)) || [];
  if (digits !== undefined) return digits;
  throw new ObservationError(
    `\`where\`: ${printValue(mode)} is not a mode; write its octal digits as a text, such as "644"`,
  );
}

function changeEntries(map: unknown, change: (key: string, value: unknown) => unknown): unknown {
  if (!isPlainMap(map)) return map;
  return Object.fromEntries(Object.entries(map).map(([key, value]) => [key, change(key, value)]));
}
