/** MCP with a program of our own: one JSON message per line on its standard input and output. */

import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { lastOf } from '../../kernel/cut-text.ts';
import { within } from '../../kernel/deadline.ts';
import { readMessages } from '../../protocols/json-rpc/read-messages.ts';
import { createLineReader } from '../../protocols/mcp/line-reader.ts';
import { notStarted } from '../act-error.ts';
import { signalProcess } from '../command/signal-process.ts';
import { faultBefore, startFault } from '../command/start-fault.ts';
import type { ActError, DriverContext } from '../driver.ts';
import { driverLimits } from '../driver-limits.ts';
import { shorten } from './act-record.ts';
import { mcpLimits } from './mcp-limits.ts';
import { tooLarge } from './read-body.ts';
import { type Delivery, failed, type Inbox, type Transport } from './transport.ts';

type StdioContext = Pick<DriverContext, 'clock' | 'env' | 'folder' | 'started'>;

export function stdio(argv: readonly string[], context: StdioContext, inbox: Inbox): Transport {
  let child: ChildProcessWithoutNullStreams | undefined;
  let exited: Promise<void> | undefined;
  let isEnded: () => Promise<void> = async () => undefined;
  let stderr = '';
  return {
    kind: 'stdio',
    agree: () => undefined,
    lastWords: () => lastOf(stderr, mcpLimits.stderrChars),
    open: async (posting) => {
      const started = await startProgram(argv, context);
      if ('kind' in started) return started;
      child = started;
      posting.sent(Buffer.byteLength(argv.join(' ')));
      exited = whenExited(child, argv, inbox);
      child.stderr.on('data', (bytes: Uint8Array) => {
        stderr = (stderr + Buffer.from(bytes).toString('utf8')).slice(-2 * mcpLimits.stderrChars);
      });
      followOutput(child, inbox);
      const registered = await register(child.pid as number, argv, context);
      if ('kind' in registered) return registered;
      isEnded = registered.isEnded;
      return undefined;
    },
    send: async (message, posting) => {
      if (child === undefined) return failed({ kind: 'closed', message: 'the program does not run' });
      return write(child, `${JSON.stringify(message)}\n`, posting.sent);
    },
    close: async () => {
      if (child === undefined || exited === undefined) return;
      await endProgram(child, exited, context);
      await isEnded();
    },
  };
}

async function startProgram(
  argv: readonly string[],
  { env, folder: cwd }: StdioContext,
): Promise<ChildProcessWithoutNullStreams | ActError> {
  const program = { argv, cwd, env };
  const fault = faultBefore(program);
  if (fault !== undefined) return notStarted(fault);
  try {
    // A group of its own: what the program starts ends with it.
    const child = spawn(argv[0] as string, argv.slice(1), { cwd, env, detached: true, stdio: 'pipe' });
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    child.once('spawn', resolve);
    child.once('error', reject);
    await promise;
    return child;
  } catch (error) {
    return notStarted(startFault(error, program));
  }
}

/** The program must be announced to what outlives us, or it must not run. */
async function register(
  pid: number,
  argv: readonly string[],
  { started, clock }: StdioContext,
): Promise<{ readonly isEnded: () => Promise<void> } | ActError> {
  if (started === undefined) return { isEnded: async () => undefined };
  const registering = started(pid, argv).then(
    (isEnded) => ({ isEnded }),
    (error: unknown) => notStarted(error),
  );
  const registered = await within(clock, driverLimits.registerMs, registering);
  return registered ?? notStarted('the program could not be registered in time');
}

/** The group ends with its leader, now, while its id is certainly still ours. */
async function whenExited(
  child: ChildProcessWithoutNullStreams,
  argv: readonly string[],
  inbox: Inbox,
): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  child.on('error', (error) => inbox.note(`the program: ${error.message}`));
  child.once('exit', (code, signal) => {
    signalProcess(groupOf(child), 'SIGKILL');
    const how = signal === null ? `with exit code ${code}` : `by ${signal}`;
    // Its last output may still be in transit: the end of the stream comes after.
    child.once('close', () => inbox.broke({ kind: 'closed', message: `${argv[0]} ended ${how}` }));
    resolve();
  });
  await promise;
}

const lengthHeader = /^content-length: *\d+$/i;

function followOutput(child: ChildProcessWithoutNullStreams, inbox: Inbox): void {
  const reader = createLineReader(driverLimits.messageBytes);
  const takeLine = (line: string): void => {
    if (lengthHeader.test(line)) {
      const message =
        'the server frames its messages with Content-Length headers, as LSP does; MCP expects one per line';
      inbox.broke({ kind: 'garbage', message });
    } else if (/^\s*[{[]/.test(line)) inbox.receive(readMessages(line, 'strict').messages);
    else inbox.note(`a line on standard output is not a message: ${shorten(line)}`);
  };
  child.stdout.on('data', (bytes: Uint8Array) => {
    const { lines, isTooLarge } = reader.push(bytes);
    for (const line of lines) takeLine(line);
    if (isTooLarge) inbox.broke(tooLarge(driverLimits.messageBytes));
  });
  child.stdout.once('end', () => {
    if (reader.unfinishedBytes === 0) return;
    inbox.broke({ kind: 'closed', message: 'the server ended its output in the middle of a message' });
  });
  child.stdout.on('error', (error) => inbox.note(`standard output: ${error.message}`));
  child.stderr.on('error', (error) => inbox.note(`standard error: ${error.message}`));
  child.stdin.on('error', () => 'told to whoever writes');
}

function write(
  child: ChildProcessWithoutNullStreams,
  line: string,
  sent: (bytes: number) => void,
): Promise<Delivery> {
  return new Promise((resolve) => {
    child.stdin.write(line, (error) => {
      if (error)
        return resolve(failed({ kind: 'closed', message: `the server does not read: ${error.message}` }));
      sent(Buffer.byteLength(line));
      resolve({ state: 'delivered' });
    });
  });
}

/** The end of its input asks it to go; then a signal does; then it is gone. */
async function endProgram(
  child: ChildProcessWithoutNullStreams,
  exited: Promise<void>,
  { clock }: StdioContext,
): Promise<void> {
  const isGone = exited.then(() => true);
  child.stdin.end();
  if (!(await within(clock, mcpLimits.exitWithinMs, isGone))) {
    signalProcess(groupOf(child), 'SIGTERM');
    if (!(await within(clock, mcpLimits.exitWithinMs, isGone))) signalProcess(groupOf(child), 'SIGKILL');
  }
  await exited;
  for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
}

function groupOf({ pid }: ChildProcessWithoutNullStreams): number {
  return -(pid as number);
}
