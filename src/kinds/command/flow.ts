/** `command` in a flow. */
import type { ActOptions, Duration, Evidence, FlowSteps, Pattern, Texts } from '../kind/flow-method.ts';

export interface CommandFlow {
  readonly command: RunCommand;
}

export interface RunCommand {
  /** It keeps running, and is ended with the attempt. */
  (argv: string | readonly string[], options: CommandOptions & { readonly stays: true }): Promise<Program>;
  (argv: string | readonly string[], options?: CommandOptions): Promise<CommandEvidence>;
}

export interface CommandOptions extends ActOptions {
  readonly stdin?: string;
  readonly env?: Texts;
  /** Relative to the flow's file; with `in`, a folder in the container. */
  readonly cwd?: string;
  /** Inside of the container of this service. */
  readonly in?: string;
}

export interface CommandEvidence extends Evidence {
  readonly exitCode: number | null;
  readonly signal: string | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly json?: unknown;
  readonly durationMs: number;
}

export interface Program {
  send(text: string, options?: ActOptions): Promise<CommandEvidence>;
  signal(name: string, options?: ActOptions): Promise<CommandEvidence>;
  /** Ends its input. */
  end(options?: ActOptions): Promise<CommandEvidence>;
  /** Waits until it has ended. */
  exited(options?: ActOptions): Promise<CommandEvidence>;
  /** Waits until all that it printed, `{ stdout, stderr, exitCode, signal }`, matches. */
  until(pattern: Pattern, options?: { readonly within?: Duration }): Promise<CommandEvidence>;
  /** As of the last answer. */
  readonly stdout: string;
  readonly stderr: string;
}

export function commandFlow({ act, open }: FlowSteps): CommandFlow {
  const run = (
    argv: string | readonly string[],
    options: CommandOptions & { readonly stays?: true } = {},
  ): Promise<unknown> => {
    const written = { command: argv };
    if (!options.stays) return act(written, options);
    return open<CommandEvidence, Program>(written, options, (line) => ({
      send: (text, given) => line.say({ send: text }, given),
      signal: (name, given) => line.say({ signal: name }, given),
      end: (given) => line.say({ end: 'half' }, given),
      exited: (given) => line.say({ awaitExit: true }, given),
      until: line.until,
      get stdout() {
        return line.soFar().stdout;
      },
      get stderr() {
        return line.soFar().stderr;
      },
    }));
  };
  return { command: run as RunCommand };
}
