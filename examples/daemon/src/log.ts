/** One line to stdout for each event: level, then what happened. */

export const log = {
  info: (line: string) => write('INFO', line),
  warn: (line: string) => write('WARN', line),
  error: (line: string) => write('ERROR', line),
};

/** A line break inside a message would look like a second entry; external input is truncated. */
function write(level: string, line: string): void {
  process.stdout.write(`${level} ${line.replace(/\s*\n\s*/g, ' ').slice(0, 500)}\n`);
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return error.message || code || error.name;
}
