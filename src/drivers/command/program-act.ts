/** A step on a program that stays. */
import { asText } from '../../kernel/references.ts';
import { givenUp, notStarted } from '../act-error.ts';
import { type ActLife, beginLife } from '../act-life.ts';
import type { Act, ActError, ActEvidence, DriverContext } from '../driver.ts';
import type { CommandOnStep } from './command-step.ts';
import type { OutputWindow } from './output-window.ts';
import { programEvidence } from './program-evidence.ts';
import type { RunningProgram } from './running-program.ts';

export class ProgramAct implements Act {
  readonly #step: CommandOnStep;
  readonly #life: ActLife;
  readonly #program: RunningProgram | undefined;
  readonly #window: OutputWindow | undefined;
  readonly #sentBefore: number;
  #sent: number | undefined;
  #error: ActError | undefined;

  constructor(
    step: CommandOnStep,
    context: DriverContext,
    program: RunningProgram | undefined,
    window: OutputWindow | undefined,
  ) {
    this.#step = step;
    this.#program = program;
    this.#window = window;
    this.#sentBefore = program?.inputBytes() ?? 0;
    this.#life = beginLife(context, {
      late: () => this.#end({ kind: 'timeout', message: this.#lateMessage(context.timeoutMs) }),
      givenUp: () => this.#end(givenUp),
    });
    if (context.signal.aborted) this.#end(notStarted(givenUp.message));
    else void this.#perform(program);
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
    return this.#sent ?? (this.#program ? this.#program.inputBytes() - this.#sentBefore : 0);
  }

  async #perform(program: RunningProgram | undefined): Promise<void> {
    const fault = program ? await program.started : notStarted('the program was never started');
    if (fault || !program) return this.#end(fault);
    const { send, signal, end, awaitExit } = this.#step;
    try {
      if (send !== undefined && !program.canWrite) return this.#end(endedAlready(program));
      if (send !== undefined) await program.write(asText(send));
      if (end === 'half') program.endInput();
      if (signal !== undefined && !program.signal(signal)) return this.#end(endedAlready(program));
      if (awaitExit) await program.exited;
      this.#end();
    } catch (error) {
      this.#end(notStarted(error));
    }
  }

  #lateMessage(timeoutMs: number): string {
    return this.#step.awaitExit
      ? `it had not ended after ${timeoutMs} ms`
      : `it took only ${this.sentBytes()} bytes of its input within ${timeoutMs} ms`;
  }

  #end(error?: ActError): void {
    if (this.#life.isOver) return;
    this.#error = error;
    this.#sent = this.sentBytes();
    this.#life.end();
  }
}

function endedAlready({ exit }: RunningProgram): ActError {
  if (!exit) return { kind: 'closed', message: 'its input was ended already' };
  const how = exit.signal === null ? `with code ${exit.exitCode}` : `by ${exit.signal}`;
  return { kind: 'closed', message: `the program has ended already, ${how}` };
}
