/** The output of the CLI: colours and live lines on a terminal, plain lines elsewhere; no control codes but its own. */
import { inspect } from 'node:util';
import { printable } from '../../kernel/printable.ts';
import { shellWord } from '../../kernel/shell-word.ts';
import { errorCode } from '../../kernel/system-error.ts';
import { freshSeed } from '../../kernel/unique-id.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface Terminal {
  /** Lines can be redrawn in place. */
  readonly isLive: boolean;
  readonly columns: number;
  readonly rows: number;
  out(text: string): void;
  err(text: string): void;
  /** Writes to standard output without a newline, for the live view. */
  draw(text: string): void;
  /** Erases the current line and the given number of lines above it. */
  erase(linesAbove: number): void;
  paint(style: Style, text: string): string;
  /** Adds the `--config` of this call to the commands in a text. */
  hint(text: string): string;
  /**
   * Keeps standard output for messages of a protocol: JSON, a line each, redacted. All else that would be printed there
   * goes to standard error.
   */
  reserveOutput(): (json: string, done: (error?: Error | null) => void) => void;
  /** Applies this redaction to all output from now on. */
  hide(redact: (text: string) => string): void;
  /**
   * Resolves when everything is written. Await it before the process ends: a full pipe takes no more than 64 KB at
   * once.
   */
  flushed(): Promise<void>;
  /** The reader has closed our output. */
  isDeserted(): boolean;
  /** Output was lost although there is a reader, such as on a full disk. */
  failure(): Error | undefined;
}

const jsonText = /"(?:[^"\\]|\\.)*"/g;

/** In JSON, numbers are kept, and single words are our own. */
function inJson(json: string, hidden: (text: string) => string): string {
  return json.replaceAll(jsonText, (text) => (/^"[a-z-]{1,16}"$/.test(text) ? text : hidden(text)));
}

export function openTerminal(
  env: Readonly<Record<string, string | undefined>>,
  config: string | undefined,
  json: boolean,
  verbNames: readonly string[],
): Terminal {
  const { stdout, stderr } = process;
  const isTerminal = stdout.isTTY === true;
  const ownWrite: (text: string, done?: (error?: Error | null) => void) => boolean = stdout.write;
  const write = (text: string, done?: (error?: Error | null) => void): boolean =>
    ownWrite.call(stdout, text, done);
  // Any other output would break the JSON, such as from a module that the config imports.
  const reserve = (): void => {
    stdout.write = stderr.write.bind(stderr);
  };
  if (json) reserve();
  let deserted = false;
  let failure: Error | undefined;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error) => {
      if (errorCode(error) === 'EPIPE' || errorCode(error) === 'EIO') deserted = true;
      else failure ??= error;
    });
  }
  const coloured = env.NO_COLOR === undefined && (isTerminal || env.FORCE_COLOR !== undefined);
  // A random mark distinguishes our colours from those in external text.
  const mark = `\u{fdd0}${freshSeed()}`;
  const marked = new RegExp(`${mark}(\\d+)m`, 'g');
  const verbs = verbNames.filter((name) => name !== 'init').join('|');
  const commands = new RegExp(`\\bshakedown (?:${verbs})\\b(?! --config)`, 'g');
  let hidden = (text: string): string => text;
  const shown = (text: string): string => {
    const safe = printable(text);
    return coloured ? safe.replaceAll(marked, '\u001b[$1m') : safe;
  };
  return {
    isLive: isTerminal && env.TERM !== 'dumb' && env.CI === undefined,
    columns: stdout.columns ?? 100,
    rows: stdout.rows ?? 24,
    out: (text) => void write(`${shown(json ? inJson(text, hidden) : hidden(text))}\n`),
    err: (text) => void stderr.write(`${shown(hidden(text))}\n`),
    draw: (text) => void write(shown(hidden(text))),
    reserveOutput: () => {
      reserve();
      return (message, done) => void write(`${shown(inJson(message, hidden))}\n`, done);
    },
    hide: (redact) => {
      hidden = redact;
    },
    erase: (above) => void write(above > 0 ? `\u001B[${above}A\u001B[J` : '\r\u001B[K'),
    flushed: async () => {
      await new Promise<void>((resolve) => write('', () => resolve()));
      await new Promise((resolve) => stderr.write('', resolve));
    },
    isDeserted: () => deserted || failure !== undefined,
    failure: () => failure,
    hint: (text) =>
      config === undefined
        ? text
        : text.replaceAll(commands, (found) => `${found} --config ${shellWord(config)}`),
    paint: (style, text) => {
      const [on, off] = inspect.colors[style] as [number, number];
      return coloured ? `${mark}${on}m${text}${mark}${off}m` : text;
    },
  };
}
