/** One JSON line to stdout for each event: time, level, service, event, and request id. */

export interface Log {
  info(event: string, about?: About): void;
  warn(event: string, about?: About): void;
  /** Only for what needs attention: a request that could not be served is a warning. */
  error(event: string, about?: About): void;
}

/** Never the text of a user, never a key or a token. */
type About = Readonly<Record<string, string | number | boolean | null | undefined>>;

export function createLog(service: string): Log {
  const write = (level: string, event: string, about: About = {}): void => {
    const line = { at: new Date().toISOString(), level, service, event, ...about };
    process.stdout.write(`${JSON.stringify(line, shortened)}\n`);
  };
  return {
    info: (event, about) => write('INFO', event, about),
    warn: (event, about) => write('WARN', event, about),
    error: (event, about) => write('ERROR', event, about),
  };
}

/** External input cannot fill the log. */
function shortened(_key: string, value: unknown): unknown {
  return typeof value === 'string' ? value.slice(0, 300) : value;
}

export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error && typeof error.code === 'string' ? error.code : '';
  return error.message || code || error.name;
}
