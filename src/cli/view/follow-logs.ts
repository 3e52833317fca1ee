/** Prints log files line by line, each line prefixed with its service's name, and follows them as they grow. */
import { statSync } from 'node:fs';
import path from 'node:path';
import { logTail } from '../../environment/log-tail.ts';
import { logBeginning } from '../../environment/run-folder.ts';
import type { Redactor } from '../../journal/redaction.ts';
import { limits } from '../../kernel/limits.ts';
import { createLineReader, type RawLine } from '../../observers/line-reader.ts';
import type { Style } from '../call/terminal.ts';
import type { Call } from '../call/verb.ts';

export interface FollowOptions {
  readonly call: Call;
  readonly files: ReadonlyArray<{ readonly name: string; readonly file: string }>;
  readonly tail: number | undefined;
  /** Redacts the run's secrets. */
  readonly redactor: Redactor;
  /** Stops when this resolves, after a last read. */
  readonly until: Promise<unknown>;
}

const hues: readonly Style[] = ['cyan', 'green', 'yellow', 'bold'];
const lookEveryMs = 100;

export async function followLogs(options: FollowOptions): Promise<void> {
  const { call, files } = options;
  const width = Math.max(...files.map(({ name }) => name.length));
  const followed = files.map(({ name, file }, index) =>
    follow(options, file, printer(call, name, width, hues[index % hues.length] as Style)),
  );
  let ended = false;
  void options.until.then(() => {
    ended = true;
  });
  await Promise.resolve();
  for (;;) {
    const last = ended;
    for (const one of followed) await printNew(one);
    if (last || call.terminal.isDeserted()) break;
    await call.clock.sleep(lookEveryMs);
  }
  for (const { reader, print } of followed) {
    const rest = reader.unfinished();
    if (rest) print(rest);
  }
}

function printer(call: Call, name: string, width: number, hue: Style): (line: string) => void {
  if (call.json) return (line) => call.terminal.out(JSON.stringify({ service: name, line }));
  const prefix = call.terminal.paint(hue, name.padEnd(width));
  return (line) => call.terminal.out(`${prefix} | ${line}`);
}

function follow({ call, tail, redactor }: FollowOptions, file: string, show: (line: string) => void) {
  const end = tail === undefined ? 0 : (statSync(file, { throwIfNoEntry: false })?.size ?? 0);
  if (tail !== undefined && tail > 0) for (const line of logTail(file, tail)) show(redactor.redact(line));
  const reader = createLineReader({
    from: end,
    // The rest of a secret that is cut in two would not be redacted.
    lineBytes: limits.shownLineBytes + redactor.reachBytes,
    signal: new AbortController().signal,
    pause: call.terminal.flushed,
    skipsHoles: true,
  });
  const print = ({ bytes, isCut, length, offset }: RawLine): void => {
    const line = redactor.redact(bytes.toString());
    if (offset === 0 && line === logBeginning) return;
    const left = length - limits.shownLineBytes;
    const shown = line.slice(0, line.length - redactor.reachBytes);
    show(isCut ? `${shown}… ${left} bytes more, in ${path.relative(call.cwd, file)}` : line);
  };
  return { file, reader, print };
}

async function printNew({ file, reader, print }: ReturnType<typeof follow>): Promise<void> {
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  // At the end the file is redacted, which moves its bytes.
  if (size > reader.offset()) await reader.readOn(file, print);
}
