/** Where the CLI prints, and how: in colour and alive on a terminal, in plain lines elsewhere. Only what is painted here steers it. */
import { inspect } from 'node:util';
import { printable } from '../kernel/printable.ts';
import { shellWord } from '../kernel/shell-word.ts';
import { errorCode } from '../kernel/system-error.ts';
import { freshSeed } from '../kernel/unique-id.ts';
import { verbNames } from './verbs.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface Terminal {
  /** A person looks at it as it changes. */
  readonly isLive: boolean;
  readonly columns: number;
  readonly rows: number;
  out(text: string): void;
  err(text: string): void;
  /** To standard output without a line end, for the live view. */
  draw(text: string): void;
  /** Takes what was drawn away: the line begun, and so many lines above it. */
  erase(linesAbove: number): void;
  paint(style: Style, text: string): string;
  /** The commands in a text with the config that this call was given. */
  hint(text: string): string;
  /** From now on, what is printed passes this, which takes secrets out. */
  hide(redact: (text: string) => string): void;
  /** Everything has been written. What ends the process waits for it: a full pipe takes no more than 64 KB at once. */
  flushed(): Promise<void>;
  /** Whoever read our output has closed it: nobody is there to be told anything. */
  isDeserted(): boolean;
  /** What was said did not arrive, though somebody waits for it: a full disk. */
  failure(): Error | undefined;
}

const commands = new RegExp(
  `\\bshakedown (?:${verbNames.filter((name) => name !== 'init').join('|')})\\b(?! --config)`,
  'g',
);

const jsonText = /"(?:[^"\\]|\\.)*"/g;

/** In JSON, numbers stay numbers, and single words are ours. */
function inJson(json: string, hidden: (text: string) => string): string {
  return json.replaceAll(jsonText, (text) => (/^"[a-z-]{1,16}"$/.test(text) ? text : hidden(text)));
}

export function openTerminal(
  env: Readonly<Record<string, string | undefined>>,
  config: string | undefined,
  json: boolean,
): Terminal {
  const { stdout, stderr } = process;
  const isTerminal = stdout.isTTY === true;
  const ownWrite: (text: string, done?: () => void) => boolean = stdout.write;
  const write = (text: string, done?: () => void): boolean => ownWrite.call(stdout, text, done);
  // JSON is spoilt by whatever else is printed there, such as by a module that the config imports.
  if (json) stdout.write = stderr.write.bind(stderr);
  let deserted = false;
  let failure: Error | undefined;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error) => {
      if (errorCode(error) === 'EPIPE' || errorCode(error) === 'EIO') deserted = true;
      else failure ??= error;
    });
  }
  const coloured = env.NO_COLOR === undefined && (isTerminal || env.FORCE_COLOR !== undefined);
  // No stranger knows the mark, so that colours in a text from outside are told from ours.
  const mark = `\u{fdd0}${freshSeed()}`;
  const marked = new RegExp(`${mark}(\\d+)m`, 'g');
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
    hide: (redact) => {
      hidden = redact;
    },
    erase: (above) => void write(above > 0 ? `\u001B[${above}A\u001B[J` : '\r\u001B[K'),
    flushed: async () => {
      await new Promise<void>((resolve) => write('', resolve));
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
