/** What is known of a program and of what it printed in one window, as plain JSON. */
import type { ActError, ActEvidence } from '../driver.ts';
import { parseJson } from '../parse-json.ts';
import type { OutputText } from './output-files.ts';
import type { ProgramExit } from './running-program.ts';

export interface ProgramFacts {
  readonly exit: ProgramExit | undefined;
  readonly output: OutputText | undefined;
  readonly durationMs: number;
  readonly error: ActError | undefined;
}

export function programEvidence({ exit, output, durationMs, error }: ProgramFacts): ActEvidence {
  const { stdout = '', stderr = '', truncated } = output ?? {};
  const parsed = truncated ? undefined : parseJson(stdout);
  return {
    exitCode: exit?.exitCode ?? null,
    signal: exit?.signal ?? null,
    stdout,
    stderr,
    ...(parsed && 'value' in parsed ? { json: parsed.value } : {}),
    ...(truncated ? { truncated: true, stdoutBytes: truncated.stdout, stderrBytes: truncated.stderr } : {}),
    durationMs,
    ...(error ? { error } : {}),
  };
}
