/** Fills in references whose values are in the files themselves: `${with.…}` of a fragment, `${case.…}` of a case. */
import {
  asText,
  escapeReferences,
  isReference,
  mapTexts,
  parseReferences,
  type ReferencePart,
} from '../../kernel/references.ts';
import { escapeFor, type TextForm } from '../../patterns/escape-data.ts';
import { formInPart } from '../text-forms.ts';
import type { Placed, RawMap } from './placed.ts';

/** Only references that begin with `head` and have a value; everything else is filled in when the step is done. */
export function fillValues(value: unknown, head: string, values: unknown): unknown {
  return mapTexts(value, (text, keys) =>
    text.includes(`\${${head}`) ? fillText(text, head, values, formInPart(value, keys)) : text,
  );
}

export function fillPart<Part extends Placed<RawMap>>(part: Part, head: string, values: unknown): Part {
  return { ...part, value: fillValues(part.value, head, values) as RawMap };
}

/** A value that is the whole of an expression or a glob is one; as a part of it, it is data. */
function fillText(text: string, head: string, values: unknown, form: TextForm | undefined): unknown {
  const parts = parseReferences(text);
  const [only] = parts;
  if (only && parts.length === 1) return isReference(only) ? givenValue(only, text, head, values) : text;
  return parts.reduce((before, part) => {
    if (!isReference(part)) return before + escapeReferences(part.text);
    const isOurs = part.path[0] === head;
    const value = asText(givenValue(part, text, head, values));
    return before + (isOurs && form !== undefined ? asData(value, form, before) : value);
  }, '');
}

/** As written where it has no value yet. */
function givenValue(
  { offset, length, path: [first, ...rest] }: ReferencePart,
  text: string,
  head: string,
  values: unknown,
): unknown {
  const asWritten = text.slice(offset, offset + length);
  if (first !== head) return asWritten;
  const found = rest.reduce<unknown>((inner, key) => (inner as RawMap | undefined | null)?.[key], values);
  return found === undefined ? asWritten : found;
}

/** References in the value stay references. */
function asData(value: string, form: TextForm, before: string): string {
  return parseReferences(value).reduce(
    (done, part) =>
      done +
      (isReference(part)
        ? value.slice(part.offset, part.offset + part.length)
        : escapeFor(form, part.text, before + done)),
    '',
  );
}
