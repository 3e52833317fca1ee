/** What the object of a whole answer has besides its items: usage, errors, why it ended. */
import { cutText } from '../../kernel/cut-text.ts';
import { defined } from '../../kernel/defined.ts';
import { isMap, type JsonMap } from '../../kernel/is-map.ts';
import type { FoldedPart, StopReason, TurnError, Usage } from '../turn/turn.ts';

export function readUsage(value: unknown): Usage | null {
  if (!isMap(value)) return null;
  const input = count(value.input_tokens);
  const output = count(value.output_tokens);
  if (input === undefined || output === undefined) return null;
  const cachedInput = inside(value.input_tokens_details, 'cached_tokens');
  const reasoning = inside(value.output_tokens_details, 'reasoning_tokens');
  return defined({ input, output, cachedInput, reasoning });
}

function inside(details: unknown, key: string): number | undefined {
  return isMap(details) ? count(details[key]) : undefined;
}

function count(value: unknown): number | undefined {
  return Number.isSafeInteger(value) && (value as number) >= 0 ? (value as number) : undefined;
}

const shownChars = 500;

/** From `{ code, message }`, flat or inside `error`, from a text, and from nothing at all. */
export function readError(value: unknown, fallbackType: string): TurnError {
  if (typeof value === 'string') return { type: fallbackType, message: cutText(value, shownChars) };
  const said = isMap(value) ? value : {};
  const inner = isMap(said.error) ? said.error : said;
  const code = typeof inner.code === 'string' ? inner.code : undefined;
  const ownType = typeof inner.type === 'string' && inner.type !== 'error' ? inner.type : undefined;
  const spoken = typeof said.error === 'string' ? said.error : inner.message;
  const message = typeof spoken === 'string' ? cutText(spoken, shownChars) : 'the provider gave no reason';
  return defined({ type: ownType ?? code ?? fallbackType, message, code });
}

export interface Ending {
  readonly stop: StopReason;
  readonly stopWord: string;
}

/** Why an answer ended that is `completed` follows from what is in it. */
export function endingOf(
  status: 'completed' | 'incomplete',
  response: JsonMap,
  parts: readonly FoldedPart[],
): Ending {
  if (status === 'completed') return { stop: stopOf(parts), stopWord: status };
  const details = response.incomplete_details;
  const reason = isMap(details) && typeof details.reason === 'string' ? details.reason : status;
  const known: Readonly<Record<string, StopReason>> = {
    max_output_tokens: 'length',
    content_filter: 'filter',
  };
  return { stop: Object.hasOwn(known, reason) ? (known[reason] ?? 'other') : 'other', stopWord: reason };
}

function stopOf(parts: readonly FoldedPart[]): StopReason {
  if (parts.some(({ kind }) => kind === 'call')) return 'tool-calls';
  return parts.some(({ kind }) => kind === 'refusal') ? 'refusal' : 'end';
}
