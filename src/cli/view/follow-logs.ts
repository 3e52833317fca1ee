/** Prints log files line by line, each line under its service's name, and goes on as they grow. */
import { createReadStream, statSync } from 'node:fs';
import { logTail } from '../../environment/processes/log-tail.ts';
import type { Redactor } from '../../journal/redaction.ts';
import type { Style } from '../terminal.ts';
import type { Call } from '../verb.ts';

export interface FollowOptions {
  readonly call: Call;
  readonly files: ReadonlyArray<{ readonly name: string; readonly file: string }>;
  readonly tail: number | undefined;
  /** The run's secrets are not for the screen either. */
  readonly redactor: Redactor;
  /** Stops when this resolves, after one last look. */
  readonly until: Promise<unknown>;
}

interface Position {
  readonly name: string;
  readonly file: string;
  readonly print: (line: string) => void;
  /** Keeps the half of a letter that is not whole yet. */
  readonly decoder: InstanceType<typeof TextDecoder>;
  offset: number;
  partial: string;
}

const hues: readonly Style[] = ['cyan', 'green', 'yellow', 'bold'];
const lookEveryMs = 100;

export async function followLogs(options: FollowOptions): Promise<void> {
  const { call, files } = options;
  const width = Math.max(...files.map(({ name }) => name.length));
  const positions = files.map(({ name, file }, index): Position => {
    const show = printer(call, name, width, hues[index % hues.length] as Style);
    const print = (line: string): void => show(options.redactor.redact(line));
    const position = { name, file, print, decoder: new TextDecoder(), offset: 0, partial: '' };
    if (options.tail !== undefined) startAtTail(position, options.tail);
    return position;
  });
  let ended = false;
  void options.until.then(() => {
    ended = true;
  });
  await Promise.resolve();
  for (;;) {
    const last = ended;
    for (const position of positions) await printNew(position);
    if (last || call.terminal.isDeserted()) break;
    await call.clock.sleep(lookEveryMs);
  }
  for (const { partial, print } of positions) if (partial !== '') print(partial);
}

function printer(call: Call, name: string, width: number, hue: Style): (line: string) => void {
  if (call.json) return (line) => call.terminal.out(JSON.stringify({ service: name, line }));
  const prefix = call.terminal.paint(hue, name.padEnd(width));
  return (line) => call.terminal.out(`${prefix} | ${line}`);
}

function startAtTail(position: Position, lines: number): void {
  const tail = lines === 0 ? [] : logTail(position.file, lines);
  position.offset = statSync(position.file, { throwIfNoEntry: false })?.size ?? 0;
  for (const line of tail) position.print(line);
}

async function printNew(position: Position): Promise<void> {
  const size = statSync(position.file, { throwIfNoEntry: false })?.size ?? 0;
  // At the end secrets are taken out of the file; its bytes are no longer where they were.
  if (size < position.offset) position.offset = Number.POSITIVE_INFINITY;
  if (size <= position.offset) return;
  for await (const chunk of createReadStream(position.file, { start: position.offset, end: size - 1 })) {
    const lines = (position.partial + position.decoder.decode(chunk as Buffer, { stream: true })).split('\n');
    position.partial = lines.pop() ?? '';
    for (const line of lines) position.print(line);
  }
  position.offset = size;
}
