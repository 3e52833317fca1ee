/** What a model said in calls, as script lines. Pure. */
import type { CallEvent } from '../../journal/call-event.ts';
import type { TurnEvidence } from '../../journal/turn-evidence.ts';
import { isMap } from '../../kernel/is-map.ts';
import { stablePattern } from './stable-pattern.ts';
import { countedLines, type WritingContext, writtenValue } from './written-value.ts';

/** An incomplete answer cannot be replayed. */
export function modelLines(calls: readonly CallEvent[], context: WritingContext) {
  const said = calls.flatMap((call) =>
    [...turnLine(call), ...refusal(call)].map((line) => ({ call, line, text: steadyText(call, context) })),
  );
  const together = said.flatMap((one, at) =>
    said.slice(at + 1).flatMap((other) => (mayChangePlaces(one, other) ? [[one, other] as const] : [])),
  );
  // Lines with a `when` come before those without: all of them have one, or none.
  const canTell =
    said.every(({ text }) => text !== undefined) && together.every(([one, other]) => one.text !== other.text);
  const isByText = together.length > 0 && canTell;
  const lines = said.map(({ line, text }) =>
    writtenValue(isByText ? { when: { text }, ...line } : line, context),
  );
  const [{ from, to } = { from: '', to: '' }] = calls;
  return {
    lines: countedLines(lines as readonly object[]),
    notes: [
      ...(together.length > 0 && !isByText ? [unordered(from, to)] : []),
      ...(calls.some(isUnanswered) ? [unanswered(from, to)] : []),
    ],
  };
}

function isUnanswered({ turn, response }: CallEvent): boolean {
  return response === undefined || (turn?.complete === false && response.status < 400);
}

function unanswered(from: string, to: string): string {
  return `${from} did not get, or did not read, all of an answer of ${to}: write a line for it by hand, with \`says\` or \`hangs\``;
}

interface SaidLine {
  readonly call: CallEvent;
  readonly line: object;
  readonly text: string | undefined;
}

/** Both were open at the same time, with different answers. */
function mayChangePlaces(one: SaidLine, other: SaidLine): boolean {
  const isTogether = one.call.startedAt < other.call.endedAt && other.call.startedAt < one.call.endedAt;
  return isTogether && JSON.stringify(one.line) !== JSON.stringify(other.line);
}

/** Undefined where it would be another one in the next run. */
function steadyText({ request }: CallEvent, { uid }: WritingContext): string | undefined {
  const text = askedText(request.json);
  return text !== undefined && stablePattern([text], [uid]) === text ? text : undefined;
}

function unordered(from: string, to: string): string {
  return `${from} asks ${to} several times at once, and which call comes first is not fixed: give each of its lines a \`when\``;
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

/** Values that default to zero are omitted. */
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

/** What a line must expect explicitly, by the addresses of the providers. */
const besideTurns = {
  embedding: /\/embeddings\b|:(?:embedContent|batchEmbedContents)\b/,
  count: /\/(?:count|input)_tokens\b|:countTokens\b/,
};

/** Undefined where there is none, or where it has several parts, which each dialect joins in its own way. */
function askedText(body: unknown): string | undefined {
  if (!isMap(body)) return undefined;
  const said = body.messages ?? body.input ?? body.contents;
  if (typeof said === 'string') return said;
  if (!Array.isArray(said)) return undefined;
  const texts = said
    .filter((message) => isMap(message) && (message.role ?? 'user') === 'user')
    .map(({ content, parts }) => textsOf(content ?? parts))
    .findLast((found) => found.length > 0);
  return texts?.length === 1 ? texts[0] : undefined;
}

function textsOf(content: unknown): readonly string[] {
  if (typeof content === 'string') return [content];
  if (!Array.isArray(content)) return [];
  return content.flatMap((part) => (isMap(part) && typeof part.text === 'string' ? [part.text] : []));
}
