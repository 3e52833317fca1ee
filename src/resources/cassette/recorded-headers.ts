/** The headers of an answer in a recording, without secrets in their names or values, and as they are played. */
import { fromOutside } from '../../journal/outside-text.ts';
import type { Redactor } from '../../journal/redaction.ts';

export type Headers = Readonly<Record<string, string>>;

/** With a token in the place of each secret. */
export function cleanHeaders(headers: Headers, redactor: Redactor): Headers {
  const clean = (text: string): string => redactor.redact(fromOutside(text));
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [clean(name), clean(value)]));
}

/** Without those that hold a secret, for a player that does not put it back. */
export function harmlessHeaders(headers: Headers, redactor: Redactor): Headers {
  return Object.fromEntries(
    Object.entries(headers).filter((header) => !header.some((text) => redactor.finds(text))),
  );
}

/** `show` puts secrets back. A name that HTTP cannot carry, as another value of the secret may make it, is left out. */
export function shownHeaders(
  headers: Headers,
  show: { name(text: string): string; value(text: string): string },
): Headers {
  return Object.fromEntries(
    Object.entries(headers)
      .map(([name, value]) => [show.name(name), show.value(value)] as const)
      .filter(([name]) => isHeaderName(name)),
  );
}

/** Also one that has a token in it. */
export function isRecordedName(name: string): boolean {
  return isHeaderName(name.replaceAll(/‹secret:[^›]+›/g, 'x'));
}

function isHeaderName(name: string): boolean {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(name);
}
