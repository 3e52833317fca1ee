/** A program that stays: it is done when it runs, and later steps write to it, signal it, or wait for its end. */
import { asText } from '../../kernel/references.ts';
import { givenUp, notStarted } from '../act-error.ts';
import type { Act, ActError, DriverContext, OpenConnection } from '../driver.ts';
import { ActOnProgram } from './act-on-program.ts';
import type { CommandOnStep, CommandStep } from './command-step.ts';
import { type OutputWindow, openWindow } from './output-window.ts';
import type { RunningProgram } from './running-program.ts';

export class StayingAct extends ActOnProgram {
  readonly connection: OpenConnection = {
    start: (next, context) => this.#act(next as CommandOnStep, context),
    close: () => this.#close(),
  };
  /** Of the newest step. */
  #newest: OutputWindow | undefined;

  constructor(step: CommandStep, context: DriverContext) {
    super(context);
    this.run(step, (program) => {
      this.#newest = this.window;
      this.#endWithAttempt(program);
      if (step.stdin !== undefined) void program.write(step.stdin);
      void program.started.then((fault) => (fault ? this.fail(fault) : this.life.end()));
    });
  }

  protected lateMessage(timeoutMs: number): string {
    return `it had not started after ${timeoutMs} ms`;
  }

  protected fail(error: ActError): void {
    if (this.life.isOver) return;
    this.error = error;
    this.program?.kill();
    this.life.end();
  }

  /** The step is over long before the program is. */
  #endWithAttempt(program: RunningProgram): void {
    const { signal } = this.context;
    const giveUp = (): void => {
      program.kill();
      void this.#close();
    };
    signal.addEventListener('abort', giveUp, { once: true });
    void program.exited.then(() => signal.removeEventListener('abort', giveUp));
  }

  #act(step: CommandOnStep, context: DriverContext): Act {
    const { program } = this;
    if (!program) return new ProgramAct(step, context, undefined, undefined);
    this.#newest?.seal();
    this.#newest = openWindow(program.files, context.bodyBytes);
    return new ProgramAct(step, context, program, this.#newest);
  }

  async #close(): Promise<void> {
    const { program } = this;
    if (!program) return;
    await program.stop();
    this.#newest?.seal();
    await program.files.remove().catch(() => undefined); // the folder of the attempt goes as a whole
  }
}

/** A step on a program that stays. */
class ProgramAct extends ActOnProgram {
  readonly #step: CommandOnStep;
  readonly #sentBefore: number;
  #sent: number | undefined;

  constructor(
    step: CommandOnStep,
    context: DriverContext,
    program: RunningProgram | undefined,
    window: OutputWindow | undefined,
  ) {
    super(context);
    this.#step = step;
    this.program = program;
    this.window = window;
    this.#sentBefore = program?.inputBytes() ?? 0;
    if (context.signal.aborted) this.fail(notStarted(givenUp.message));
    else void this.#perform(program);
  }

  override sentBytes(): number {
    return this.#sent ?? (this.program ? this.program.inputBytes() - this.#sentBefore : 0);
  }

  protected lateMessage(timeoutMs: number): string {
    return this.#step.awaitExit
      ? `it had not ended after ${timeoutMs} ms`
      : `it took only ${this.sentBytes()} bytes of its input within ${timeoutMs} ms`;
  }

  protected fail(error: ActError | undefined): void {
    if (this.life.isOver) return;
    this.error = error;
    this.#sent = this.sentBytes();
    this.life.end();
  }

  async #perform(program: RunningProgram | undefined): Promise<void> {
    const fault = program ? await program.started : notStarted('the program was never started');
    if (fault || !program) return this.fail(fault);
    const { send, signal, end, awaitExit } = this.#step;
    try {
      if (send !== undefined && !program.canWrite) return this.fail(endedAlready(program));
      if (send !== undefined) await program.write(asText(send));
      if (end === 'half') program.endInput();
      if (signal !== undefined && !program.signal(signal)) return this.fail(endedAlready(program));
      if (awaitExit) await program.exited;
      this.fail(undefined);
    } catch (error) {
      this.fail(notStarted(error));
    }
  }
}

function endedAlready({ exit }: RunningProgram): ActError {
  if (!exit) return { kind: 'closed', message: 'its input was ended already' };
  const how = exit.signal === null ? `with code ${exit.exitCode}` : `by ${exit.signal}`;
  return { kind: 'closed', message: `the program has ended already, ${how}` };
}
