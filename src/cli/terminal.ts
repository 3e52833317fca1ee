/** Where the CLI prints, and how: in colour and alive on a terminal, in plain lines elsewhere. */
import { styleText } from 'node:util';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export interface Terminal {
  /** A person looks at it as it changes. */
  readonly isLive: boolean;
  readonly columns: number;
  out(text: string): void;
  err(text: string): void;
  /** Raw bytes to standard output, for the live view. */
  draw(text: string): void;
  paint(style: Style, text: string): string;
}

export function openTerminal(env: Readonly<Record<string, string | undefined>>): Terminal {
  const isTerminal = process.stdout.isTTY === true;
  const coloured = env.NO_COLOR === undefined && (isTerminal || env.FORCE_COLOR !== undefined);
  return {
    isLive: isTerminal && env.TERM !== 'dumb' && env.CI === undefined,
    columns: process.stdout.columns ?? 100,
    out: (text) => void process.stdout.write(`${text}\n`),
    err: (text) => void process.stderr.write(`${text}\n`),
    draw: (text) => void process.stdout.write(text),
    paint: (style, text) => (coloured ? styleText(style, text, { validateStream: false }) : text),
  };
}
