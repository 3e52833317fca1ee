/** A program that runs to its end, or is ended when its time is over. */
import { within } from '../../kernel/deadline.ts';
import { givenUp, notStarted } from '../act-error.ts';
import type { ActError, DriverContext } from '../driver.ts';
import { driverLimits } from '../driver-limits.ts';
import { ActOnProgram } from './act-on-program.ts';
import type { CommandStep } from './command-step.ts';
import { openWindow } from './output-window.ts';
import { RunningProgram } from './running-program.ts';

export class CommandAct extends ActOnProgram {
  constructor(step: CommandStep, context: DriverContext) {
    super(context);
    if (context.signal.aborted) this.#refuse(notStarted(givenUp.message));
    else this.#run(step);
  }

  protected lateMessage(timeoutMs: number): string {
    return `it had not ended after ${timeoutMs} ms and was killed`;
  }

  protected fail(error: ActError): void {
    this.error ??= error;
    const { program } = this;
    if (!program) return;
    program.kill();
    // A process that cannot be killed, because it hangs in the kernel, is not awaited forever.
    void within(this.context.clock, driverLimits.registerMs, program.exited).then(() =>
      this.#finish(program),
    );
  }

  #run(step: CommandStep): void {
    try {
      const program = new RunningProgram(step, this.context);
      this.program = program;
      this.window = openWindow(program.files, this.context.bodyBytes, { stdout: 0, stderr: 0 });
      if (step.stdin !== undefined) void program.write(step.stdin).then(() => program.endInput());
      void program.exited.then(() => this.#finish(program));
    } catch (error) {
      this.#refuse(notStarted(error));
    }
  }

  async #finish(program: RunningProgram): Promise<void> {
    if (this.life.isOver) return;
    this.error ??= program.fault;
    this.window?.seal();
    await program.files.remove().catch(() => undefined); // the folder of the attempt goes as a whole
    this.life.end();
  }

  #refuse(error: ActError): void {
    this.error = error;
    this.life.end();
  }
}
