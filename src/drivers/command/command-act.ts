/** A program that runs to its end, or is ended when its time is over. */
import { within } from '../../kernel/deadline.ts';
import { givenUp, notStarted } from '../act-error.ts';
import { type ActLife, beginLife } from '../act-life.ts';
import type { Act, ActError, ActEvidence, DriverContext } from '../driver.ts';
import { driverLimits } from '../driver-limits.ts';
import type { CommandStep } from './command-step.ts';
import { type OutputWindow, openWindow } from './output-window.ts';
import { programEvidence } from './program-evidence.ts';
import { RunningProgram } from './running-program.ts';

export class CommandAct implements Act {
  readonly #context: DriverContext;
  readonly #life: ActLife;
  #program: RunningProgram | undefined;
  #window: OutputWindow | undefined;
  #error: ActError | undefined;

  constructor(step: CommandStep, context: DriverContext) {
    this.#context = context;
    this.#life = beginLife(context, {
      late: () =>
        this.#kill({
          kind: 'timeout',
          message: `it had not ended after ${context.timeoutMs} ms and was killed`,
        }),
      givenUp: () => this.#kill(givenUp),
    });
    if (context.signal.aborted) this.#refuse(notStarted(givenUp.message));
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
      if (step.stdin !== undefined) void program.write(step.stdin).then(() => program.endInput());
      void program.exited.then(() => this.#finish(program));
    } catch (error) {
      this.#refuse(notStarted(error));
    }
  }

  #kill(error: ActError): void {
    this.#error ??= error;
    const program = this.#program;
    if (!program) return;
    program.kill();
    // What cannot be killed, because it hangs in the kernel, is not waited for for ever.
    void within(this.#context.clock, driverLimits.registerMs, program.exited).then(() =>
      this.#finish(program),
    );
  }

  async #finish(program: RunningProgram): Promise<void> {
    if (this.#life.isOver) return;
    this.#error ??= program.fault;
    this.#window?.seal();
    await program.files.remove().catch(() => 'the folder of the attempt goes as a whole');
    this.#life.end();
  }

  #refuse(error: ActError): void {
    this.#error = error;
    this.#life.end();
  }
}
