/** Whether an error in a log is expected there. */
import type { RegexTester } from '../patterns/bounded-regex.ts';

export interface LoggedError {
  readonly service: string;
  readonly text: string;
  /** What each must be expected by itself. */
  readonly parts?: readonly string[];
}

type Allowance = Readonly<Record<'service' | 'match', string>>;

/** Either each of its parts is, or an expression finds what spans them: one that finds a part alone says nothing of the others. */
export function isAllowed(
  { service, text, parts = [text] }: LoggedError,
  allow: readonly Allowance[],
  regexes: RegexTester,
): boolean {
  const finds = ({ match }: Allowance, where: string): boolean => regexes.test(match, '', where) === true;
  const own = allow.filter((one) => one.service === service);
  return (
    parts.every((part) => own.some((one) => finds(one, part))) ||
    own.some((one) => finds(one, text) && !parts.some((part) => finds(one, part)))
  );
}
