/** Starts a process for the code of a flow: in its own process group, with a channel to us and its output captured. */
import { type ChildProcess, spawn } from 'node:child_process';
import { signalProcess } from '../../drivers/command/signal-process.ts';
import { plainVariables } from '../../environment/wiring/hermetic-env.ts';
import type { Clock } from '../../kernel/clock.ts';
import { compiledFolder } from '../../kernel/compiled-folder.ts';
import { within } from '../../kernel/deadline.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { limits } from '../../kernel/limits.ts';
import { noDebugger, ownEntry } from '../../kernel/own-files.ts';
import { isDeeperThan } from '../../kernel/shape.ts';

import { flowLimits } from './flow-limits.ts';
import type { FromFlow, ToFlow } from './flow-message.ts';
import { flowMessageFault } from './flow-shape.ts';
import { withoutEffects } from './no-effects.ts';

export interface FlowProcessOptions {
  /** A replay cannot do anything but answer. */
  readonly mode: 'list' | 'perform' | 'replay';
  readonly file: string;
  readonly folder: string;
  /** Ours when absent. Secret values go over the channel, because other users can read the variables of a process. */
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
  /** Resolves, when it has ended and its output is drained, to a description of how it ended. */
  readonly gone: Promise<string>;
  kill(): void;
  /** Lets it end by itself, and kills its whole group when it does not. */
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
  child.on('message', (message) => options.onMessage(validated(decoded(message))));
  child.stdout?.on('data', (bytes: Buffer) => options.onOutput(bytes, 'stdout'));
  child.stderr?.on('data', (bytes: Buffer) => options.onOutput(bytes, 'stderr'));
  let isThere = child.pid !== undefined;
  const kill = (): void => {
    if (isThere) signalProcess(-(child.pid as number), 'SIGKILL');
  };
  child.once('exit', () => {
    // Its children end with it, now, while the group id is certainly still ours.
    kill();
    isThere = false;
  });
  const gone = whenGone(child, options.clock);
  return {
    argv,
    pid: child.pid,
    // It may end at any moment; `gone` reports that, not the failed send.
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

/** The code of a flow may send anything on its channel; only our messages are JSON text. */
function decoded(message: unknown): unknown {
  try {
    return typeof message === 'string' ? parseExactJson(message) : message;
  } catch {
    return message;
  }
}

/** User code may send anything on the channel; an invalid message ends the flow. */
function validated(message: unknown): FromFlow {
  const fault = isDeeperThan(message, limits.requestDepth)
    ? 'it is too deep'
    : flowMessageFault(message, 'it');
  if (fault === undefined) return message as FromFlow;
  const what = `it sent an invalid message to Shakedown: ${fault}`;
  return { say: 'ended', failure: { message: what, isStep: false } };
}

/** A file that loops while it is imported is ended by the CPU limit even when we are gone. */
const limited = `ulimit -t ${flowLimits.importCpuSeconds}; exec "$@"`;

function argvOf({ mode, file }: FlowProcessOptions): readonly string[] {
  const flags = mode === 'replay' ? withoutEffects : [];
  const entry = ownEntry('trials/flow/inside/flow-main');
  const argv = [process.execPath, noDebugger, ...flags, entry, mode, file, ...compiledFolder()];
  return mode === 'list' ? ['sh', '-c', limited, 'shakedown-flow', ...argv] : argv;
}

function whenGone(child: ChildProcess, clock: Clock): Promise<string> {
  const disconnected = new Promise<void>((resolve) => void child.once('disconnect', resolve));
  const drained = [child.stdout, child.stderr].map(
    (stream) => new Promise<void>((resolve) => void stream?.once('close', resolve)),
  );
  return new Promise((resolve) => {
    child.once('error', (error) => resolve(`its process could not be started: ${error.message}`));
    child.once('exit', async (code, signal) => {
      // A child of it may hold its output open for ever.
      await within(clock, flowLimits.drainMs, Promise.all([disconnected, ...drained]));
      child.stdout?.destroy();
      child.stderr?.destroy();
      resolve(
        signal === null ? `it ended its own process with ${code}` : `its process was ended by ${signal}`,
      );
    });
  });
}
