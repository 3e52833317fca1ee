/** What every act on a program has: a time, the program, and what that printed from this act to the next one. */
import { defined } from '../../kernel/defined.ts';
import { readJson } from '../../protocols/json-rpc/read-json.ts';
import { givenUp, notStarted } from '../act-error.ts';
import { type ActLife, beginLife } from '../act-life.ts';
import type { Act, ActError, ActEvidence, DriverContext } from '../driver.ts';
import type { CommandStep } from './command-step.ts';
import { type OutputWindow, openWindow } from './output-window.ts';
import { RunningProgram } from './running-program.ts';

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

  /** Starts the program of this act; an act that cannot begin has failed. */
  protected run(step: CommandStep, attend: (program: RunningProgram) => void): void {
    if (this.context.signal.aborted) {
      this.fail(notStarted(givenUp.message));
      return;
    }
    try {
      const program = new RunningProgram(step, this.context);
      this.program = program;
      this.window = openWindow(program.files, this.context.bodyBytes, { stdout: 0, stderr: 0 });
      attend(program);
    } catch (error) {
      this.fail(notStarted(error));
    }
  }

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
