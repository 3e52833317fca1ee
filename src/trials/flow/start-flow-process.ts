/** Starts a process for the code of a flow: a group of its own, a channel to us, and its output in our hands. */
import { type ChildProcess, spawn } from 'node:child_process';
import { signalProcess } from '../../drivers/command/signal-process.ts';
import { plainVariables } from '../../environment/wiring/hermetic-env.ts';
import type { Clock } from '../../kernel/clock.ts';
import { compiledFolder } from '../../kernel/compiled-folder.ts';
import { within } from '../../kernel/deadline.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { limits } from '../../kernel/limits.ts';
import { ownEntry } from '../../kernel/own-files.ts';
import { isDeeperThan } from '../../kernel/shape.ts';

import { flowLimits } from './flow-limits.ts';
import type { FromFlow, ToFlow } from './flow-message.ts';
import { flowMessageFault } from './flow-shape.ts';

export interface FlowProcessOptions {
  readonly mode: 'list' | 'perform';
  readonly file: string;
  readonly folder: string;
  /** Ours when absent. Those of value go over the channel: others can read the variables of a process. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly clock: Clock;
  onMessage(message: FromFlow): void;
  onOutput(bytes: Buffer, stream: 'stdout' | 'stderr'): void;
}

export interface FlowProcess {
  readonly argv: readonly string[];
  /** Undefined when it could not be started. */
  readonly pid: number | undefined;
  send(message: ToFlow): void;
  /** Resolves when it has ended and all that it said was heard; to how it ended, in words. */
  readonly gone: Promise<string>;
  kill(): void;
  /** Lets it end by itself, and kills it, with everybody in its group, when it does not. */
  end(): Promise<void>;
}

export function startFlowProcess(options: FlowProcessOptions): FlowProcess {
  const argv = argvOf(options);
  const [program = '', ...words] = argv;
  const child = spawn(program, words, {
    cwd: options.folder,
    ...(options.env ? { env: plainVariables(options.env) } : {}),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const variables: ToFlow | undefined = options.env && { say: 'variables', env: options.env };
  if (variables && child.connected) child.send(JSON.stringify(variables), () => 'told by `gone`');
  child.on('message', (message) => options.onMessage(understood(heard(message))));
  child.stdout?.on('data', (bytes: Buffer) => options.onOutput(bytes, 'stdout'));
  child.stderr?.on('data', (bytes: Buffer) => options.onOutput(bytes, 'stderr'));
  let isThere = child.pid !== undefined;
  const kill = (): void => {
    if (isThere) signalProcess(-(child.pid as number), 'SIGKILL');
  };
  child.once('exit', () => {
    // Whoever it brought ends with it, now, while the group's number is certainly still ours.
    kill();
    isThere = false;
  });
  const gone = whenGone(child, options.clock);
  return {
    argv,
    pid: child.pid,
    // It may be gone at any moment; `gone` tells, not the line that leads nowhere.
    send: (message) => void (child.connected && child.send(JSON.stringify(message), () => 'told by `gone`')),
    gone,
    kill,
    end: async () => {
      if (child.connected) child.disconnect();
      await within(options.clock, flowLimits.endMs, gone);
      kill();
      await within(options.clock, flowLimits.endMs, gone);
    },
  };
}

/** The code of a flow may send whatever it likes on its channel; only what is ours is a text of JSON. */
function heard(message: unknown): unknown {
  try {
    return typeof message === 'string' ? parseExactJson(message) : message;
  } catch {
    return message;
  }
}

/** Code of somebody else's may say anything on the line; what cannot be understood is its end. */
function understood(message: unknown): FromFlow {
  const fault = isDeeperThan(message, limits.requestDepth)
    ? 'it is too deep'
    : flowMessageFault(message, 'it');
  if (fault === undefined) return message as FromFlow;
  const what = `it said something to Shakedown that cannot be understood: ${fault}`;
  return { say: 'ended', failure: { message: what, isStep: false } };
}

/** A file that loops while it is imported for a list, when we are gone, is ended by the limit on its time. */
const limited = `ulimit -t ${flowLimits.importCpuSeconds}; exec "$@"`;

function argvOf({ mode, file }: FlowProcessOptions): readonly string[] {
  const argv = [process.execPath, ownEntry('trials/flow/flow-main'), mode, file, ...compiledFolder()];
  return mode === 'list' ? ['sh', '-c', limited, 'shakedown-flow', ...argv] : argv;
}

function whenGone(child: ChildProcess, clock: Clock): Promise<string> {
  const heard = new Promise<void>((resolve) => void child.once('disconnect', resolve));
  const drained = [child.stdout, child.stderr].map(
    (stream) => new Promise<void>((resolve) => void stream?.once('close', resolve)),
  );
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`its process could not be started: ${error.message}`));
    child.once('exit', async (code, signal) => {
      // Somebody that it started may hold its output open for ever.
      await within(clock, flowLimits.drainMs, Promise.all([heard, ...drained]));
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(
        signal === null ? `it ended its own process with ${code}` : `its process was ended by ${signal}`,
      );
    });
  });
}
