/** What a `content-type` says about how a body can be read. */
import { TextDecoder } from 'node:util';
import { utf8Text } from '../../kernel/utf8-text.ts';

export type BodyKind = 'json' | 'events' | 'text' | 'binary' | 'unsaid';

const textual =
  /^(?:text\/.*|.*\+(?:xml|yaml)|application\/(?:xml|yaml|javascript|x-www-form-urlencoded|x-ndjson|jsonl|json-seq|x-yaml|graphql|sql|toml))$/;

export function bodyKind(contentType: string | undefined): BodyKind {
  if (contentType === undefined) return 'unsaid';
  const type = (contentType.split(';')[0] ?? '').trim().toLowerCase();
  if (type === '') return 'unsaid';
  if (type === 'application/json' || type === 'text/json' || type.endsWith('+json')) return 'json';
  if (type === 'text/event-stream') return 'events';
  return textual.test(type) ? 'text' : 'binary';
}

/** In the charset that is named; UTF-8 where none is, or one that nobody knows. `more` is to come. */
export function decodedText(contentType: string | undefined, bytes: Buffer, more = false): string {
  const decoder = textDecoder(contentType);
  if (decoder.encoding !== 'utf-8') return decoder.decode(bytes, { stream: more });
  return utf8Text(bytes, more).replace(/^\uFEFF/, '');
}

function textDecoder(contentType: string | undefined): TextDecoder {
  const charset = /;\s*charset\s*=\s*"?([^\s;"]+)/i.exec(contentType ?? '')?.[1];
  try {
    return new TextDecoder(charset ?? 'utf-8');
  } catch {
    return new TextDecoder('utf-8');
  }
}
