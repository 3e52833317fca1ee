/** A program that stays: it is done when it runs, and later steps write to it, signal it, or wait for its end. */
import { givenUp, notStarted } from '../act-error.ts';
import { type ActLife, beginLife } from '../act-life.ts';
import type { Act, ActError, ActEvidence, DriverContext, OpenConnection } from '../driver.ts';
import type { CommandOnStep, CommandStep } from './command-step.ts';
import { type OutputWindow, openWindow } from './output-window.ts';
import { ProgramAct } from './program-act.ts';
import { programEvidence } from './program-evidence.ts';
import { RunningProgram } from './running-program.ts';

export class StayingAct implements Act {
  readonly connection: OpenConnection;
  readonly #context: DriverContext;
  readonly #life: ActLife;
  #program: RunningProgram | undefined;
  /** Of this step, and of the newest one. */
  #window: OutputWindow | undefined;
  #newest: OutputWindow | undefined;
  #error: ActError | undefined;

  constructor(step: CommandStep, context: DriverContext) {
    this.#context = context;
    this.#life = beginLife(context, {
      late: () =>
        this.#fail({ kind: 'timeout', message: `it had not started after ${context.timeoutMs} ms` }),
      givenUp: () => this.#fail(givenUp),
    });
    this.connection = {
      start: (next, nextContext) => this.#act(next as CommandOnStep, nextContext),
      close: () => this.#close(),
    };
    if (context.signal.aborted) this.#fail(notStarted(givenUp.message));
    else this.#run(step);
  }

  get done(): Promise<void> {
    return this.#life.done;
  }

  evidence(): ActEvidence {
    return programEvidence({
      exit: this.#program?.exit,
      output: this.#window?.read(),
      durationMs: this.#life.durationMs,
      error: this.#error,
    });
  }

  sentBytes(): number {
    return this.#program?.sentBytes() ?? 0;
  }

  #run(step: CommandStep): void {
    try {
      const program = new RunningProgram(step, this.#context);
      this.#program = program;
      this.#window = openWindow(program.files, this.#context.bodyBytes, { stdout: 0, stderr: 0 });
      this.#newest = this.#window;
      this.#endWithAttempt(program);
      if (step.stdin !== undefined) void program.write(step.stdin);
      void program.started.then((fault) => (fault ? this.#fail(fault) : this.#life.end()));
    } catch (error) {
      this.#fail(notStarted(error));
    }
  }

  /** The step is over long before the program is. */
  #endWithAttempt(program: RunningProgram): void {
    const { signal } = this.#context;
    const giveUp = (): void => {
      program.kill();
      void this.#close();
    };
    signal.addEventListener('abort', giveUp, { once: true });
    void program.exited.then(() => signal.removeEventListener('abort', giveUp));
  }

  #act(step: CommandOnStep, context: DriverContext): Act {
    const program = this.#program;
    if (!program) return new ProgramAct(step, context, undefined, undefined);
    this.#newest?.seal();
    this.#newest = openWindow(program.files, context.bodyBytes);
    return new ProgramAct(step, context, program, this.#newest);
  }

  #fail(error: ActError): void {
    if (this.#life.isOver) return;
    this.#error = error;
    this.#program?.kill();
    this.#life.end();
  }

  async #close(): Promise<void> {
    const program = this.#program;
    if (!program) return;
    await program.stop();
    this.#newest?.seal();
    await program.files.remove().catch(() => 'the folder of the attempt goes as a whole');
  }
}
