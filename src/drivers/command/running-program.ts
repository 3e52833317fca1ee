/** One program in a group of its own: started, told of, written to, signalled, ended with everybody it brought. */
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
  /** Resolves when it runs and has been told of, or with why it does not. */
  readonly started: Promise<ActError | undefined>;
  /** Resolves when it has ended, or never ran, and that has been told. */
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

  /** Something that ended it before its time, and is no fault of its own. */
  get fault(): ActError | undefined {
    return this.#fault;
  }

  /** The words that it was started with, and what it was given to read. */
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

  /** Everybody in its group, at once. */
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
      void this.files.remove().catch(() => 'the folder of the attempt goes as a whole');
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
        // Whoever stayed in the group ends with its leader, now, while the group's number is certainly still ours.
        signalProcess(-(child.pid as number), 'SIGKILL');
        child.stdin?.destroy();
        resolve();
      });
    });
  }

  /** A process that nobody else knows of would survive us; it is not left to run. */
  async #register(): Promise<ActError | undefined> {
    const { pid } = this.#child;
    if (pid === undefined) {
      await this.#failedToStart();
      return this.#fault;
    }
    try {
      const telling = this.#context.started?.(pid, this.#program.argv);
      if (!telling) return undefined;
      const told = await within(this.#context.clock, driverLimits.registerMs, telling);
      if (!told) throw new Error(`no answer within ${driverLimits.registerMs} ms`);
      this.#unregister = told;
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
      () => 'the process is gone; whoever was told of it finds that out',
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
