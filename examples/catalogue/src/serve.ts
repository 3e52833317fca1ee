/** What both services share: JSON over HTTP on the port that they are given. */
import { createServer, type IncomingMessage } from 'node:http';

export interface Asked {
  readonly method: string;
  /** Parts of the path, decoded. */
  readonly path: readonly string[];
  readonly headers: IncomingMessage['headers'];
  readonly body: unknown;
}

export interface Answer {
  readonly status: number;
  readonly body: unknown;
}

export function serve(name: string, answer: (asked: Asked) => Promise<Answer> | Answer): void {
  const server = createServer(async (request, response) => {
    const { status, body } = await answered(request, answer);
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  });
  server.listen(Number(process.env.PORT), '127.0.0.1', () => console.log(`INFO ${name} listens`));
  process.on('SIGTERM', () => process.exit(0));
}

async function answered(
  request: IncomingMessage,
  answer: (asked: Asked) => Promise<Answer> | Answer,
): Promise<Answer> {
  try {
    const body = await readBody(request);
    const path =
      (request.url ?? '/').split('?', 1)[0]?.split('/').filter(Boolean).map(decodeURIComponent) ?? [];
    return await answer({ method: request.method ?? 'GET', path, headers: request.headers, body });
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof URIError) return refusal(400, 'malformed');
    console.log(`ERROR ${String(error)}`);
    return refusal(500, 'internal_error');
  }
}

export function refusal(status: number, error: string, more: Readonly<Record<string, unknown>> = {}): Answer {
  return { status, body: { error, ...more } };
}

async function readBody(request: IncomingMessage): Promise<unknown> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const text = Buffer.concat(parts).toString('utf8');
  return text === '' ? undefined : JSON.parse(text);
}
