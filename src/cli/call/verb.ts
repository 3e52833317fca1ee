/** What a verb of the command line is. */
import type { Host } from '../../campaigns/session/host.ts';
import type { ExitCode } from '../../kernel/exit-codes.ts';
import type { Terminal } from './terminal.ts';

export interface OptionSpec {
  readonly short?: string;
  readonly help: string;
  /** May be given several times; the values are joined by commas. */
  readonly many?: true;
  /** The placeholder for its value in the help; absent for one without a value. */
  readonly value?: string;
}

/** One call of a verb, with its arguments parsed. */
export interface Call extends Host {
  readonly verb: string;
  readonly options: Readonly<Record<string, string | boolean | undefined>>;
  readonly positionals: readonly string[];
  /** The words after `--`. */
  readonly command: readonly string[];
  readonly json: boolean;
  readonly terminal: Terminal;
}

export interface Verb {
  readonly summary: string;
  /** The synopsis after the verb's name. */
  readonly usage: string;
  readonly options?: Readonly<Record<string, OptionSpec>>;
  /** How many positional arguments it takes at most; none if absent. */
  readonly positionals?: number;
  readonly takesCommand?: boolean;
  run(call: Call): Promise<ExitCode>;
}

/** Options of every verb. */
export const commonOptions: Readonly<Record<string, OptionSpec>> = {
  config: { value: 'FILE', help: 'the config file; default: shakedown.config.ts or shakedown.yaml here' },
  json: { help: 'print one JSON object instead of text' },
  help: { short: 'h', help: 'show this help' },
};

export function optionText(call: Call, name: string): string | undefined {
  const value = call.options[name];
  return typeof value === 'string' ? value : undefined;
}
