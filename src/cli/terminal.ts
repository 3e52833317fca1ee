/** Where the CLI prints, and how: in colour and alive on a terminal, in plain lines elsewhere. */
import { styleText } from 'node:util';
import { errorCode } from '../kernel/system-error.ts';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface Terminal {
  /** A person looks at it as it changes. */
  readonly isLive: boolean;
  readonly columns: number;
  readonly rows: number;
  out(text: string): void;
  err(text: string): void;
  /** Raw bytes to standard output, for the live view. */
  draw(text: string): void;
  paint(style: Style, text: string): string;
  /** Whoever read our output has closed it: nobody is there to be told anything. */
  isDeserted(): boolean;
}

export function openTerminal(env: Readonly<Record<string, string | undefined>>): Terminal {
  const isTerminal = process.stdout.isTTY === true;
  let deserted = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (errorCode(error) !== 'EPIPE' && errorCode(error) !== 'EIO') throw error;
      deserted = true;
    });
  }
  const coloured = env.NO_COLOR === undefined && (isTerminal || env.FORCE_COLOR !== undefined);
  return {
    isLive: isTerminal && env.TERM !== 'dumb' && env.CI === undefined,
    columns: process.stdout.columns ?? 100,
    rows: process.stdout.rows ?? 24,
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    draw: (text) => void process.stdout.write(text),
    isDeserted: () => deserted,
    paint: (style, text) => (coloured ? styleText(style, text, { validateStream: false }) : text),
  };
}
