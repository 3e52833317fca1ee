/** One line to stdout for each event: level, then what happened. */

export const log = {
  info: (line: string) => write('INFO', line),
  warn: (line: string) => write('WARN', line),
  error: (line: string) => write('ERROR', line),
};

/** A line break inside a message would look like a second entry. */
function write(level: string, line: string): void {
  process.stdout.write(`${level} ${line.replace(/\s*\n\s*/g, ' ')}\n`);
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // fetch hides what happened ("fetch failed") in the cause; a refused connection has only a code.
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  const own = error.message || code || error.name;
  return error.cause === undefined ? own : `${own}: ${reasonOf(error.cause)}`;
}
