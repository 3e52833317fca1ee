/** The `fetch` of a replay: what the code of a flow fetches by itself is answered from the record, too. */
import type { PerformerLine } from './performer-line.ts';

export function recordedFetch(line: PerformerLine): typeof fetch {
  return async (input, init) => {
    const { method, url, signal } = new Request(input, init);
    signal.throwIfAborted();
    const { stack } = new Error('it is not in the record');
    const { value } = await line.ask({ do: 'fetch', method, url }, { line: 0, stack });
    return responseOf(value as RecordedAnswer);
  };
}

interface RecordedAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly text?: string;
}

/** Statuses that have no body. */
const bodiless = [204, 205, 304];

function responseOf({ status, headers = {}, json, text = '' }: RecordedAnswer): Response {
  const body = json === undefined ? text : JSON.stringify(json);
  // Others cannot be received by `fetch` either.
  const isFinal = status >= 200 && status <= 599;
  const shown = Object.entries(headers).filter(([name, value]) => name !== '' && typeof value === 'string');
  return new Response(bodiless.includes(status) ? null : body, {
    status: isFinal ? status : 500,
    headers: Object.fromEntries(shown),
  });
}
