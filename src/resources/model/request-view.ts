/** A request to a model as `when` and `expect` of a script see it, whatever its dialect. */
import type { HttpHeaders } from '../../protocols/http/http-message.ts';
import type { ModelRequest, RequestMessage } from '../../protocols/turn/dialect.ts';
import type { RequestView } from './script-line.ts';

export interface ViewSource {
  readonly path: string;
  readonly headers: HttpHeaders;
  readonly json: unknown;
  readonly request: ModelRequest;
}

/** What costs something to know is found out when a pattern asks for it. */
export function requestView({ path, headers, json, request }: ViewSource): RequestView {
  const { model, stream, system, messages, tools, maxTokens } = request;
  const asked = messages.findLastIndex(isQuestion);
  return {
    model,
    stream,
    system,
    text: messages[asked]?.text ?? '',
    messages,
    get turn() {
      return messages.filter(({ role }) => role === 'assistant').length;
    },
    get results() {
      return messages.slice(asked + 1).flatMap(({ results }) => results);
    },
    get tools() {
      return tools.map(({ name }) => name);
    },
    maxTokens,
    get headers() {
      return shortenedKeys(headers);
    },
    path,
    json,
  };
}

/** Some dialects send the results of tools in the name of the user. */
function isQuestion({ role, text, results }: RequestMessage): boolean {
  return role === 'user' && (text !== '' || results.length === 0);
}

/** A key is only recognised by its beginning; never more than half of it is shown. */
function shortenedKeys(headers: HttpHeaders): HttpHeaders {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, lettingIn.test(name) ? shortened(value) : value]),
  );
}

const lettingIn = /authorization|cookie|api-key|token|secret/;
const shownChars = 12;

function shortened(value: string): string {
  return `${value.slice(0, Math.min(shownChars, value.length >> 1))}…`;
}
