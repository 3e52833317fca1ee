/** What kind of body a content type announces, and how it is read as a text. */
import { TextDecoder } from 'node:util';
import { foreignMark, utf8Text } from '../../kernel/utf8-text.ts';

export type MediaKind = 'json' | 'events' | 'text' | 'unknown';

/** Without parameters; empty where there is none. */
export function mediaType(contentType: string | undefined): string {
  return (contentType ?? '').replace(/;.*/s, '').trim().toLowerCase();
}

export function mediaKind(contentType: string | undefined): MediaKind {
  return contentType === 'application/json' ? 'json' : kindOf(mediaType(contentType));
}

function kindOf(type: string): MediaKind {
  if (type === 'application/json' || type === 'text/json' || type.endsWith('+json')) return 'json';
  if (type === 'text/event-stream') return 'events';
  return type.startsWith('text/') || textTypes.test(type) ? 'text' : 'unknown';
}

/** These may name a charset. What is of any other type is a text where it is UTF-8. */
const textTypes =
  /^application\/(?:x-www-form-urlencoded|(?:x-)?(?:javascript|ndjson|yaml|toml)|json-seq|jsonl|jsonlines|graphql|sql|xml)$|\+(?:xml|yaml)$/;

/** In the named charset; UTF-8 where it is absent or unknown. Undefined for what is not text; `more` is to come. */
export function bodyText(contentType: string | undefined, bytes: Buffer, more = false): string | undefined {
  const isText = mediaKind(contentType) !== 'unknown';
  const decoder = isText ? otherDecoder(contentType) : undefined;
  if (decoder) return decoder.decode(bytes, { stream: more });
  const text = utf8Text(bytes, more).replace(/^\uFEFF/, '');
  return isText || !text.includes(foreignMark) ? text : undefined;
}

/** Undefined for UTF-8. */
function otherDecoder(contentType: string | undefined): TextDecoder | undefined {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1];
  if (charset === undefined) return undefined;
  try {
    const decoder = new TextDecoder(charset);
    return decoder.encoding === 'utf-8' ? undefined : decoder;
  } catch {
    return undefined;
  }
}
