/** A secret that comes in pieces over the events of a stream: whole in none of them, and so not taken out of a recording. Pure. */
import { createRedactor, showSecrets } from '../../journal/redaction.ts';
import { isContainer, parseExactJson } from '../../kernel/exact-json.ts';
import type { RecordedPiece } from './cassette.ts';

export interface Recorded {
  readonly caller: string;
  readonly call: number;
  readonly response: { readonly pieces: readonly RecordedPiece[] };
}

/** Which call brought it, as what keeps the recording from being written. A word may come by chance, and is none of these. */
export function streamedSecret(
  calls: readonly Recorded[],
  secrets: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const told = Object.fromEntries(
    Object.entries(secrets).filter(([, value = '']) => !/^(?:[A-Za-z]*|\d{1,9}|.{1,7})$/.test(value)),
  );
  const redactor = createRedactor(told);
  // A long piece is a token by now, and joins what the others left.
  const joins = (text: string): boolean => redactor.redact(showSecrets(text, (name) => told[name])) !== text;
  const found = calls.find(({ response }) => streamedTexts(response.pieces).some(joins));
  return (
    found && `call ${found.call} of ${found.caller} was answered with a secret in pieces, over several events`
  );
}

/** What the events say one after the other: as they are, and of JSON each field by itself. */
function streamedTexts(pieces: readonly RecordedPiece[]): readonly string[] {
  const stream = pieces.map(({ text = '' }) => text).join('');
  if (!stream.includes('data:')) return [];
  const said = new Map<string, string>();
  const add = (place: string, value: unknown): void => {
    if (typeof value === 'string') said.set(place, (said.get(place) ?? '') + value);
    else if (isContainer(value))
      for (const [key, inner] of Object.entries(value)) add(`${place}.${key}`, inner);
  };
  for (const [, data = ''] of stream.matchAll(/^data: ?(.*?)\r?$/gm)) add('', parsed(data));
  return [...said.values()];
}

function parsed(data: string): unknown {
  try {
    return parseExactJson(data);
  } catch {
    return data;
  }
}
