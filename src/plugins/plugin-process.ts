/** A running plugin: requests go to it as JSON lines, and each is answered, refused, or fails because the plugin broke. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import path from 'node:path';
import { signalProcess } from '../drivers/command/signal-process.ts';
import { faultBefore, startFault } from '../drivers/command/start-fault.ts';
import type { Clock } from '../kernel/clock.ts';
import { cutText } from '../kernel/cut-text.ts';
import { within } from '../kernel/deadline.ts';
import { formatDuration } from '../kernel/duration.ts';
import { parseExactJson } from '../kernel/exact-json.ts';
import { isMap } from '../kernel/is-map.ts';
import { limits } from '../kernel/limits.ts';
import { packageFolder } from '../kernel/own-files.ts';
import { isDeeperThan } from '../kernel/shape.ts';
import { createLineReader } from '../protocols/mcp/line-reader.ts';
import type { PluginSpec } from '../system/system.ts';
import { pluginLimits } from './plugin-limits.ts';

export type Message = Readonly<Record<string, unknown>>;

/** The plugin crashed, hung, flooded or sent nonsense; the message names it. */
export class PluginBroken extends Error {}

export interface PluginProcess {
  /** Rejects with `PluginBroken`; after that, every request does. */
  ask(request: Message, options: AskOptions): Promise<Message>;
  /** Lines on its standard output that answered nothing. */
  strayLines(): readonly string[];
  /** Sends a line as it is. */
  sendLine(line: string): void;
  /** Whether it ended by itself in time. */
  close(): Promise<'ended' | 'killed'>;
}

export interface AskOptions {
  readonly withinMs: number;
  readonly signal?: AbortSignal;
}

export interface PluginContext {
  readonly clock: Clock;
  readonly folder: string;
  /** Ours when absent. */
  readonly env?: Readonly<Record<string, string>>;
  /** Announces the process to what outlives us; the returned function is called when it has ended. */
  started?(pid: number, argv: readonly string[]): Promise<() => Promise<void>>;
}

interface Waiting {
  resolve(message: Message): void;
  reject(error: PluginBroken): void;
}

/** Ends the whole group when we are gone: the fourth descriptor then ends, whatever the plugin does. */
const lifeline = '(read line <&3; kill -9 -$$) >/dev/null 2>&1 & exec 3<&-';
/** Python finds our helper module, and leaves no files beside it. */
const python =
  'export PYTHONPATH="$0${PYTHONPATH:+:$PYTHONPATH}" PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1';
const pythonFolder = path.join(packageFolder, 'python');

export async function startPlugin(spec: PluginSpec, context: PluginContext): Promise<PluginProcess> {
  const plugin = new RunningPlugin(spec, context, await spawnPlugin(spec, context));
  await plugin.announce();
  return plugin;
}

class RunningPlugin implements PluginProcess {
  readonly #spec: PluginSpec;
  readonly #context: PluginContext;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #gone: Promise<true>;
  readonly #waiting = new Map<number, Waiting>();
  readonly #stray: string[] = [];
  #broken: string | undefined;
  #stderr = '';
  #lastId = 0;
  #isEnded: () => Promise<void> = async () => undefined;

  constructor(spec: PluginSpec, context: PluginContext, child: ChildProcessWithoutNullStreams) {
    this.#spec = spec;
    this.#context = context;
    this.#child = child;
    this.#gone = new Promise((resolve) => void child.once('exit', () => resolve(true)));
    const reader = createLineReader(pluginLimits.messageBytes);
    child.stdout.on('data', (bytes: Uint8Array) => {
      const { lines, isTooLarge } = reader.push(bytes);
      for (const line of lines) if (this.#broken === undefined) this.#receive(line);
      if (isTooLarge) this.#fail(`printed a line of more than ${pluginLimits.messageBytes} bytes`);
    });
    child.stderr.on('data', (bytes: Uint8Array) => {
      this.#stderr = (this.#stderr + Buffer.from(bytes).toString('utf8')).slice(
        -2 * pluginLimits.stderrChars,
      );
    });
    for (const stream of [child.stdout, child.stderr])
      stream.on('error', (error) => this.#fail(`cannot be read: ${error.message}`));
    // Its end says more than the failed write.
    child.stdin.on('error', () => undefined);
    const drained = new Promise<void>((resolve) => void child.stdout.once('end', resolve));
    child.once('exit', async (code, signal) => {
      // What it started ends with it; its last lines may still be in transit.
      this.#kill();
      await within(context.clock, pluginLimits.endMs, drained);
      this.#fail(`ended ${signal === null ? `with exit code ${code}` : `by ${signal}`}`);
    });
  }

  /** It must be known to what outlives us, or it must not run. */
  async announce(): Promise<void> {
    try {
      const isEnded = await this.#context.started?.(this.#child.pid as number, this.#spec.run);
      if (isEnded) this.#isEnded = isEnded;
    } catch (error) {
      this.#fail(`could not be registered: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  strayLines(): readonly string[] {
    return this.#stray;
  }

  async ask(request: Message, { withinMs, signal }: AskOptions): Promise<Message> {
    if (this.#broken !== undefined) throw new PluginBroken(this.#broken);
    this.#lastId += 1;
    const id = this.#lastId;
    const answer = new Promise<Message>((resolve, reject) => void this.#waiting.set(id, { resolve, reject }));
    const cancel = (): void => this.#send({ do: 'cancel', id });
    signal?.addEventListener('abort', cancel, { once: true });
    this.#send({ id, ...request });
    try {
      const message = await within(this.#context.clock, withinMs, answer);
      if (message) return message;
      this.#fail(`has not answered \`${String(request.do)}\` after ${formatDuration(withinMs)}`);
      return await answer;
    } finally {
      signal?.removeEventListener('abort', cancel);
    }
  }

  async close(): Promise<'ended' | 'killed'> {
    const { clock } = this.#context;
    const isGone = (): Promise<true | undefined> => within(clock, pluginLimits.endMs, this.#gone);
    if (this.#broken === undefined) {
      this.#broken = `the plugin \`${this.#spec.name}\` is closed`;
      this.#send({ id: this.#lastId + 1, do: 'close' });
      this.#child.stdin.end();
    }
    const ended = await isGone();
    if (!ended) signalProcess(this.#group, 'SIGTERM');
    if (!(await isGone())) this.#kill();
    await isGone();
    this.#kill();
    await this.#isEnded();
    return ended ? 'ended' : 'killed';
  }

  sendLine(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  #send(message: Message): void {
    this.sendLine(JSON.stringify(message));
  }

  #receive(line: string): void {
    const message = parsed(line);
    const id = Number(message?.id);
    const one = this.#waiting.get(id);
    this.#waiting.delete(id);
    if (message && one) one.resolve(message);
    else this.#stray.push(cutText(line, pluginLimits.shownChars));
    if (this.#stray.length > pluginLimits.strayLines)
      this.#fail(
        `printed ${this.#stray.length} lines that answer no request, such as ${JSON.stringify(this.#stray[0])}`,
      );
  }

  #fail(what: string): void {
    if (this.#broken !== undefined) return;
    const { name, run } = this.#spec;
    const words = cutText(lastWords(this.#stderr) ?? this.#stray.at(-1) ?? '', pluginLimits.shownChars);
    this.#broken = `the plugin \`${name}\` (${run.join(' ')}) ${what}${words === '' ? '' : `; it printed: ${words}`}`;
    for (const one of this.#waiting.values()) one.reject(new PluginBroken(this.#broken));
    this.#waiting.clear();
    this.#kill();
  }

  get #group(): number {
    return -(this.#child.pid as number);
  }

  #kill(): void {
    signalProcess(this.#group, 'SIGKILL');
  }
}

async function spawnPlugin(
  spec: PluginSpec,
  { env, folder }: PluginContext,
): Promise<ChildProcessWithoutNullStreams> {
  // Without variables of its own, it gets ours and those of the config.
  const variables = ['env', ...Object.entries(spec.env).map(([name, value]) => `${name}=${value}`)];
  const program = { argv: spec.run, cwd: folder, env: env ?? {} };
  const fault = faultBefore(program);
  if (fault !== undefined) throw new PluginBroken(`the plugin \`${spec.name}\` cannot be started: ${fault}`);
  try {
    const child = spawn(
      '/bin/sh',
      ['-c', `${lifeline}; ${python}; exec "$@"`, pythonFolder, ...(env ? [] : variables), ...spec.run],
      {
        cwd: folder,
        ...(env ? { env: { ...env, ...spec.env } } : {}),
        // A group of its own: what the plugin starts ends with it.
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
      },
    );
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', reject);
    });
    return child as unknown as ChildProcessWithoutNullStreams;
  } catch (error) {
    throw new PluginBroken(`the plugin \`${spec.name}\` cannot be started: ${startFault(error, program)}`);
  }
}

/** The line that names the error, or the last one. */
function lastWords(printed: string): string | undefined {
  const lines = printed.split('\n').filter((line) => line.trim() !== '');
  return lines.findLast((line) => /error|exception|panic/i.test(line)) ?? lines.at(-1);
}

function parsed(line: string): Message | undefined {
  try {
    const message = parseExactJson(line);
    return isMap(message) && !isDeeperThan(message, limits.requestDepth) ? message : undefined;
  } catch {
    return undefined; // a stray line
  }
}
