/** What every act on a program has: a time, the program, and what that printed from this act to the next one. */
import { defined } from '../../kernel/defined.ts';
import { readJson } from '../../protocols/json-rpc/read-json.ts';
import { givenUp } from '../act-error.ts';
import { type ActLife, beginLife } from '../act-life.ts';
import type { Act, ActError, ActEvidence, DriverContext } from '../driver.ts';
import type { OutputWindow } from './output-window.ts';
import type { RunningProgram } from './running-program.ts';

export abstract class ActOnProgram implements Act {
  protected readonly context: DriverContext;
  protected readonly life: ActLife;
  protected program: RunningProgram | undefined;
  protected window: OutputWindow | undefined;
  protected error: ActError | undefined;

  constructor(context: DriverContext) {
    this.context = context;
    this.life = beginLife(context, {
      late: () => this.fail({ kind: 'timeout', message: this.lateMessage(context.timeoutMs) }),
      givenUp: () => this.fail(givenUp),
    });
  }

  /** Ends the act, now or soon. */
  protected abstract fail(error: ActError): void;

  protected abstract lateMessage(timeoutMs: number): string;

  get done(): Promise<void> {
    return this.life.done;
  }

  sentBytes(): number {
    return this.program?.sentBytes() ?? 0;
  }

  evidence(): ActEvidence {
    const { stdout = '', stderr = '', truncated } = this.window?.read() ?? {};
    const parsed = truncated ? undefined : readJson(stdout);
    return {
      exitCode: this.program?.exit?.exitCode ?? null,
      signal: this.program?.exit?.signal ?? null,
      stdout,
      stderr,
      ...(parsed && 'json' in parsed ? parsed : {}),
      ...(truncated ? { truncated: true, stdoutBytes: truncated.stdout, stderrBytes: truncated.stderr } : {}),
      durationMs: this.life.durationMs,
      ...defined({ error: this.error }),
    };
  }
}
