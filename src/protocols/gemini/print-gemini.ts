/** Prints a turn as Gemini sends it: one body, or chunks that each look like a body. */
import { cutText } from '../turn/cut-text.ts';
import type { PrintAbout, PrintedEvent } from '../turn/dialect.ts';
import type { JsonObject, Turn, TurnPart } from '../turn/turn.ts';
import { argumentsValue } from '../turn/written-arguments.ts';
import { printUsage, wordsOfStops } from './gemini-words.ts';

export function printGeminiBody(turn: Turn, about: PrintAbout): JsonObject {
  const parts = printParts(turn.parts, Number.MAX_SAFE_INTEGER);
  return {
    candidates: Array.from({ length: about.choices ?? 1 }, (_, index) => ({
      content: contentOf(parts),
      finishReason: wordsOfStops[turn.stop],
      index,
    })),
    ...tailOf(turn, about),
  };
}

/** The last chunk has the reason of the end and the usage. */
export function printGeminiEvents(turn: Turn, about: PrintAbout): readonly PrintedEvent[] {
  const parts = printParts(turn.parts, about.pieceChars);
  const last = {
    candidates: [{ content: contentOf(parts.slice(-1)), finishReason: wordsOfStops[turn.stop], index: 0 }],
    ...tailOf(turn, about),
  };
  const end = `],"role":"model"},"index":0}],${JSON.stringify(namesOf(about)).slice(1)}`;
  const events: PrintedEvent[] = parts.slice(0, -1).map((part) => ({
    data: `{"candidates":[{"content":{"parts":[${JSON.stringify(part)}${end}`,
  }));
  events.push({ data: JSON.stringify(last) });
  return events;
}

function contentOf(parts: readonly JsonObject[]): JsonObject {
  return { parts: parts.length === 0 ? [{ text: '' }] : parts, role: 'model' };
}

function namesOf({ model, id }: PrintAbout): JsonObject {
  return { modelVersion: model, responseId: id };
}

function tailOf({ usage }: Turn, about: PrintAbout): JsonObject {
  return { ...(usage === undefined ? {} : { usageMetadata: printUsage(usage) }), ...namesOf(about) };
}

/** A signature of thoughts is on the part that comes next, as the provider sends it, or on an empty one. */
function printParts(parts: readonly TurnPart[], pieceChars: number): readonly JsonObject[] {
  const printed: JsonObject[] = [];
  let signature: string | undefined;
  const add = (part: JsonObject): void => {
    printed.push(signature === undefined ? part : { ...part, thoughtSignature: signature });
    signature = undefined;
  };
  for (const part of parts) {
    if (signature !== undefined && part.kind !== 'call' && part.kind !== 'text') add({ text: '' });
    if (part.kind === 'reasoning') {
      for (const text of cutText(part.text, pieceChars)) add({ text, thought: true });
      signature = part.signature;
    } else if (part.kind === 'call')
      add({ functionCall: { id: part.id, name: part.name, args: argumentsValue(part) } });
    else if (part.kind === 'other') add({ [part.type]: part.value });
    else for (const text of cutText(part.text, pieceChars)) add({ text });
  }
  if (signature !== undefined) add({ text: '' });
  return printed;
}
