/** One program in its own process group: started, announced, written to, signalled, ended with all its descendants. */
import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { within } from '../../kernel/deadline.ts';
import { notStarted } from '../act-error.ts';
import type { ActError, DriverContext } from '../driver.ts';
import { driverLimits } from '../driver-limits.ts';
import type { CommandStep } from './command-step.ts';
import { createOutputFiles, type OutputFiles } from './output-files.ts';
import { signalProcess } from './signal-process.ts';
import { faultBefore, type Program, startFault } from './start-fault.ts';

export interface ProgramExit {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
}

export class RunningProgram {
  readonly files: OutputFiles;
  /** Resolves when it runs and has been announced, or with why it does not. */
  readonly started: Promise<ActError | undefined>;
  /** Resolves when it has ended, or never ran, and that has been reported. */
  readonly exited: Promise<void>;
  readonly #context: DriverContext;
  readonly #program: Program;
  readonly #child: ChildProcess;
  #exit: ProgramExit | undefined;
  #fault: ActError | undefined;
  #unregister: () => Promise<void> = async () => {};

  /** Throws when nothing could be tried. */
  constructor(step: CommandStep, context: DriverContext) {
    this.#context = context;
    this.#program = {
      argv: step.argv,
      cwd: path.resolve(context.folder, step.cwd ?? '.'),
      env: { ...context.env, ...step.env },
    };
    const fault = faultBefore(this.#program);
    if (fault !== undefined) throw new Error(fault);
    this.files = createOutputFiles(context.scratch);
    this.#child = this.#spawn(step.stays === true || step.stdin !== undefined);
    const ended = this.#whenEnded();
    this.started = this.#register();
    this.exited = this.#bury(ended);
    this.#watchOutput();
  }

  /** Undefined while it runs. */
  get exit(): ProgramExit | undefined {
    return this.#exit;
  }

  /** Something that ended it early, and is not its own fault. */
  get fault(): ActError | undefined {
    return this.#fault;
  }

  /** The command line it was started with, and its input. */
  sentBytes(): number {
    if (this.#child.pid === undefined) return 0;
    return Buffer.byteLength(this.#program.argv.join(' ')) + this.inputBytes();
  }

  inputBytes(): number {
    const { stdin } = this.#child;
    if (!stdin || !('bytesWritten' in stdin)) return 0;
    return Math.max(0, Number(stdin.bytesWritten) - stdin.writableLength);
  }

  get canWrite(): boolean {
    return this.#exit === undefined && (this.#child.stdin?.writable ?? false);
  }

  /** Resolves to false when it does not read any more. */
  write(text: string): Promise<boolean> {
    const { stdin } = this.#child;
    if (!stdin || !this.canWrite) return Promise.resolve(false);
    return new Promise((resolve) => stdin.write(text, (error) => resolve(!error)));
  }

  endInput(): void {
    this.#child.stdin?.end();
  }

  /** To the program itself, as `kill` does. */
  signal(signal: NodeJS.Signals): boolean {
    return this.#isThere() && signalProcess(this.#child.pid as number, signal);
  }

  /** All processes in its group, at once. */
  kill(): void {
    if (this.#isThere()) signalProcess(-(this.#child.pid as number), 'SIGKILL');
  }

  /** Asks the group to end, and ends it when it does not in time. */
  async stop(): Promise<void> {
    if (this.#isThere()) {
      signalProcess(-(this.#child.pid as number), 'SIGTERM');
      await within(this.#context.clock, driverLimits.stopMs, this.exited);
      this.kill();
    }
    await this.exited;
  }

  #isThere(): boolean {
    return this.#child.pid !== undefined && this.#exit === undefined;
  }

  #spawn(hasInput: boolean): ChildProcess {
    const { argv, cwd, env } = this.#program;
    const output = this.files.open();
    try {
      return spawn(argv[0] as string, argv.slice(1), {
        cwd,
        env,
        detached: true,
        stdio: [hasInput ? 'pipe' : 'ignore', output.stdout, output.stderr],
      });
    } catch (error) {
      void this.files.remove().catch(() => undefined); // the folder of the attempt goes as a whole
      throw error;
    } finally {
      output.close();
    }
  }

  #whenEnded(): Promise<void> {
    const child = this.#child;
    return new Promise((resolve) => {
      // A program that ends without reading closes the pipe; what it did not read shows in `sentBytes`.
      child.stdin?.on('error', () => child.stdin?.destroy());
      child.on('error', (error) => {
        this.#fault ??= { kind: 'not-started', message: startFault(error, this.#program) };
        if (child.pid === undefined) resolve();
      });
      child.once('exit', (exitCode, signal) => {
        this.#exit = { exitCode, signal };
        // What remains in the group ends with its leader, now, while the group id is certainly still ours.
        signalProcess(-(child.pid as number), 'SIGKILL');
        child.stdin?.destroy();
        resolve();
      });
    });
  }

  /** A process that is not announced would survive us; it is not left to run. */
  async #register(): Promise<ActError | undefined> {
    const { pid } = this.#child;
    if (pid === undefined) {
      await this.#failedToStart();
      return this.#fault;
    }
    try {
      const registering = this.#context.started?.(pid, this.#program.argv);
      if (!registering) return undefined;
      const unregister = await within(this.#context.clock, driverLimits.registerMs, registering);
      if (!unregister) throw new Error(`no answer within ${driverLimits.registerMs} ms`);
      this.#unregister = unregister;
      return undefined;
    } catch (error) {
      this.#fault ??= notStarted(
        `the process ${pid} could not be registered and was ended: ${error instanceof Error ? error.message : String(error)}`,
      );
      this.kill();
      return this.#fault;
    }
  }

  #failedToStart(): Promise<void> {
    return new Promise((resolve) => this.#child.once('error', () => resolve()));
  }

  async #bury(ended: Promise<void>): Promise<void> {
    await ended;
    await this.started;
    await within(this.#context.clock, driverLimits.registerMs, this.#unregister()).catch(
      () => undefined, // the process is gone; whoever was told of it finds that out
    );
  }

  #watchOutput(): void {
    this.#context.clock.after(driverLimits.outputLookMs, () => {
      if (!this.#isThere()) return;
      const { stdout, stderr } = this.files.sizes();
      if (stdout + stderr > driverLimits.outputBytes) {
        this.#fault ??= {
          kind: 'too-large',
          message: `it printed more than ${driverLimits.outputBytes} bytes`,
        };
        this.kill();
      }
      this.#watchOutput();
    });
  }
}
