/** Reads what the engine prints while it fetches or builds: a JSON value on each line, the last of which may be an error. */
import { isMap } from '../../../kernel/is-map.ts';
import { engineLimits } from './engine-limits.ts';

export interface Progress {
  /** What it was refused for. */
  readonly error?: string;
  /** Its last lines. */
  readonly lines: readonly string[];
}

export async function readProgress(
  source: AsyncIterable<Uint8Array>,
  onLine: (line: string) => void = () => undefined,
): Promise<Progress> {
  const lines: string[] = [];
  let error: string | undefined;
  let rest = '';
  const decoder = new TextDecoder();
  const read = (text: string): void => {
    const value = parsed(text);
    if (value === undefined) return;
    const { stream, status, id, error: failed } = value;
    if (typeof failed === 'string') error = failed.trim();
    const said =
      typeof stream === 'string' ? stream : typeof status === 'string' ? [id, status].join(' ') : '';
    for (const line of said.split('\n').map((one) => one.trimEnd())) {
      if (line.trim() === '') continue;
      onLine(line);
      lines.push(line.trimStart());
      if (lines.length > engineLimits.keptLines) lines.shift();
    }
  };
  for await (const chunk of source) {
    const parts = (rest + decoder.decode(chunk, { stream: true })).split('\n');
    rest = parts.pop() ?? '';
    parts.forEach(read);
  }
  read(rest);
  return { lines, ...(error === undefined ? {} : { error }) };
}

/** Lines of other forms say nothing for us. */
function parsed(line: string): Readonly<Record<string, unknown>> | undefined {
  if (!line.trimStart().startsWith('{')) return undefined;
  try {
    const value: unknown = JSON.parse(line);
    return isMap(value) ? value : undefined;
  } catch {
    return undefined; // a line that was cut off
  }
}
