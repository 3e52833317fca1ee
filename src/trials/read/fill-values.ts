/** Fills in references whose values are in the files themselves: `${with.…}` of a fragment, `${case.…}` of a case. */
import { asText, isReference, mapTexts, parseReferences } from '../../kernel/references.ts';
import type { Placed, RawMap } from './placed.ts';

/** Only references that begin with `head` and have a value; everything else is filled in when the step is done. */
export function fillValues(value: unknown, head: string, values: unknown): unknown {
  return mapTexts(value, (text) => (text.includes(`\${${head}`) ? fillText(text, head, values) : text));
}

export function fillPart<Part extends Placed<RawMap>>(part: Part, head: string, values: unknown): Part {
  return { ...part, value: fillValues(part.value, head, values) as RawMap };
}

function fillText(text: string, head: string, values: unknown): unknown {
  const parts = parseReferences(text);
  const filled = parts.map((part) => {
    if (!isReference(part)) return part.text.replaceAll('${', () => '$${');
    const asWritten = text.slice(part.offset, part.offset + part.length);
    const [first, ...rest] = part.path;
    if (first !== head) return asWritten;
    const found = rest.reduce<unknown>((inner, key) => (inner as RawMap | undefined | null)?.[key], values);
    return found === undefined ? asWritten : found;
  });
  if (parts.length === 1) return filled[0];
  return filled.map(asText).join('');
}
