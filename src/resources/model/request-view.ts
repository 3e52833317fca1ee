/** A request to a model as `when` and `expect` of a script see it, whatever its dialect. */
import { exactJsonOr } from '../../kernel/exact-json.ts';
import type { HttpHeaders } from '../../protocols/http/http-message.ts';
import type { ModelRequest, RequestMessage } from '../../protocols/turn/dialect.ts';
import { keyHeaders } from './key-of.ts';
import type { RequestView } from './script-line.ts';

export interface ViewSource {
  readonly asks: RequestView['asks'];
  readonly path: string;
  readonly headers: HttpHeaders;
  readonly json: unknown;
  readonly request: ModelRequest;
}

export function requestView({ asks, path, headers, json, request }: ViewSource): RequestView {
  const { model, stream, system, messages, tools, maxTokens } = request;
  const asked = messages.findLastIndex(isQuestion);
  const spoke = messages.findLastIndex(({ role }) => role === 'assistant');
  const results = messages
    .slice(Math.min(asked, spoke) + 1)
    .flatMap((message) => message.results.map(withJson));
  const last = results.at(-1);
  return {
    asks,
    model,
    stream,
    system,
    text: messages[asked]?.text ?? '',
    messages,
    turn: messages.filter(isAnswer).length,
    results,
    ...(last === undefined ? {} : { result: last }),
    tools: tools.map(({ name }) => name),
    maxTokens,
    headers: withoutKeys(headers),
    path,
    json,
  };
}

/** A client that streams may keep one message for each chunk. */
function isAnswer({ role }: RequestMessage, at: number, all: readonly RequestMessage[]): boolean {
  return role === 'assistant' && all[at - 1]?.role !== 'assistant';
}

/** Where the text is JSON, its parts can be referred to. */
function withJson<Result extends { readonly text: string }>(result: Result): Result & { json?: unknown } {
  const json = exactJsonOr(result.text, undefined);
  return json === undefined ? result : { ...result, json };
}

/** Some dialects send the results of tools in the name of the user. */
function isQuestion({ role, text, results }: RequestMessage): boolean {
  return role === 'user' && (text !== '' || results.length === 0);
}

/** A script only sees that a key was sent, and how. */
function withoutKeys(headers: HttpHeaders): HttpHeaders {
  const shown: Record<string, string> = { ...headers };
  for (const name of keyHeaders) {
    const value = shown[name];
    if (value !== undefined) shown[name] = `${/^[A-Za-z]+ /.exec(value)?.[0] ?? ''}…`;
  }
  return shown;
}
