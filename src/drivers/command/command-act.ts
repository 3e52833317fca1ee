/** A program that runs to its end, or is ended when its time is over. */
import { within } from '../../kernel/deadline.ts';
import type { ActError, DriverContext } from '../driver.ts';
import { driverLimits } from '../driver-limits.ts';
import { ActOnProgram } from './act-on-program.ts';
import type { CommandStep } from './command-step.ts';
import type { RunningProgram } from './running-program.ts';

export class CommandAct extends ActOnProgram {
  constructor(step: CommandStep, context: DriverContext) {
    super(context);
    this.run(step, (program) => {
      if (step.stdin !== undefined) void program.write(step.stdin).then(() => program.endInput());
      void program.exited.then(() => this.#finish(program));
    });
  }

  protected lateMessage(timeoutMs: number): string {
    return `it had not ended after ${timeoutMs} ms and was killed`;
  }

  protected fail(error: ActError): void {
    this.error ??= error;
    const { program } = this;
    program?.kill();
    // A process that cannot be killed, because it hangs in the kernel, is not awaited forever.
    if (program)
      void within(this.context.clock, driverLimits.registerMs, program.exited).then(() =>
        this.#finish(program),
      );
    else this.life.end();
  }

  async #finish(program: RunningProgram): Promise<void> {
    if (this.life.isOver) return;
    this.error ??= program.fault;
    this.window?.seal();
    await program.files.remove().catch(() => undefined); // the folder of the attempt goes as a whole
    this.life.end();
  }
}
