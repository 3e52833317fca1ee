/** The headers of a response as evidence: names in lower case, one text each. */
import { headLine } from '../../kernel/utf8-text.ts';

export type RawHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/** Cookies are a list of their own: a date inside of one holds a comma. */
export function headerEvidence(raw: RawHeaders): Readonly<Record<string, string | readonly string[]>> {
  const headers: Record<string, string | readonly string[]> = {};
  for (const [name, value] of Object.entries(raw)) {
    if (value === undefined) continue;
    if (name === 'set-cookie') headers.setCookie = [value].flat().map(headLine);
    else headers[name] = textOf(value);
  }
  return headers;
}

export function headerText(raw: RawHeaders, name: string): string | undefined {
  const value = raw[name];
  return value === undefined ? undefined : textOf(value);
}

function textOf(value: string | readonly string[]): string {
  return [value].flat().map(headLine).join(', ');
}
