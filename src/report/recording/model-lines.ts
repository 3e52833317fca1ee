/** What a model said in calls, as lines of a script. Pure. */
import type { CallEvent } from '../../journal/call-event.ts';
import type { TurnEvidence } from '../../journal/turn-evidence.ts';
import { type WritingContext, writtenValue } from './written-value.ts';

/** An answer that broke off says nothing that could be told again. */
export function modelLines(calls: readonly CallEvent[], context: WritingContext): readonly object[] {
  return calls
    .flatMap((call) => [...turnLine(call), ...refusal(call)])
    .map((line) => writtenValue(line, context) as object);
}

function turnLine({ turn }: CallEvent): readonly object[] {
  if (!turn?.complete) return [];
  const calls = turn.calls.map(({ name, arguments: args = {} }) => ({ name, args }));
  const usual = calls.length > 0 ? 'tool-calls' : 'end';
  const isSilent = turn.text === '' && calls.length === 0;
  return [
    {
      ...(turn.text === '' && !isSilent ? {} : { says: turn.text }),
      ...(turn.reasoning ? { reasons: turn.reasoning } : {}),
      ...(calls.length === 0 ? {} : { calls }),
      ...(turn.stop === null || turn.stop === usual ? {} : { stop: turn.stop }),
      ...(turn.usage === null ? {} : { usage: usageOf(turn.usage) }),
    },
  ];
}

/** What is zero unless somebody says so need not be said. */
function usageOf({ input, output, cachedInput, reasoning }: NonNullable<TurnEvidence['usage']>): object {
  return { input, output, ...(cachedInput ? { cachedInput } : {}), ...(reasoning ? { reasoning } : {}) };
}

function refusal({ turn, response, path }: CallEvent): readonly object[] {
  if (turn?.complete || response === undefined || response.status < 400) return [];
  const retryAfter = response.headers['retry-after'];
  const body = response.json === undefined ? { text: response.text ?? '' } : { json: response.json };
  const [asks] = Object.entries(besideTurns).find(([, paths]) => paths.test(path)) ?? [];
  return [
    {
      ...(asks === undefined ? {} : { when: { asks } }),
      error: {
        status: response.status,
        ...(retryAfter === undefined ? {} : { retryAfter }),
        ...body,
      },
    },
  ];
}

/** What a line must wait for in so many words, by the addresses of the providers. */
const besideTurns = {
  embedding: /\/embeddings\b|:(?:embedContent|batchEmbedContents)\b/,
  count: /\/(?:count|input)_tokens\b|:countTokens\b/,
};
