/** An option of `run` that says who answers in place of the config's choice. */
import { nearest } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import { type Call, optionText } from '../verb.ts';

/** Undefined where the option is not given. */
export function modeOption<Mode extends string>(
  call: Call,
  option: string,
  modes: readonly Mode[],
): Mode | undefined {
  const given = optionText(call, option);
  if (given === undefined) return undefined;
  const mode = modes.find((candidate) => candidate === given);
  if (mode) return mode;
  const guess = nearest(given, modes);
  throw new Problem({
    code: 'usage.bad-value',
    where: `shakedown run --${option}`,
    what: `${JSON.stringify(given)} is no way to answer`,
    allowed: modes.join(', '),
    next: guess
      ? `did you mean \`--${option} ${guess}\`?`
      : 'leave the option out: the config says who answers',
  });
}
