/** The call that a session serves: where it is made, with which variables, and how the user is informed meanwhile. */
import type { Clock } from '../../kernel/clock.ts';

export interface Host {
  readonly clock: Clock;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  /** The config file as named on the command line, if it was. */
  readonly config?: string | undefined;
  /** Prints a line beside the result, also where the result is JSON. */
  warn(text: string): void;
  /** Prints a line beside the result, for people only. */
  say(text: string, tone?: 'dim'): void;
  /** Applies this redaction to all output from now on. */
  hide(redact: (text: string) => string): void;
}
