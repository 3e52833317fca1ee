/** What is written down of a response's body: JSON where it says so, text where it is one, else how many bytes and their hash. */
import { isUtf8 } from 'node:buffer';
import { unpack } from '../../kernel/content-coding.ts';
import { utf8Text } from '../../kernel/utf8-text.ts';
import { bodyText, type MediaKind, mediaKind } from '../../protocols/http/media-type.ts';
import type { KeptBytes } from '../kept-bytes.ts';
import { parseJson } from '../parse-json.ts';

export interface BodyEvidence {
  readonly json?: unknown;
  readonly text?: string;
  readonly sha256?: string;
  readonly truncated?: true;
  /** It is not what it says. */
  readonly broken?: string;
}

export interface BodyFacts {
  readonly contentType: string | undefined;
  readonly contentEncoding: string | undefined;
  /** No more will come. */
  readonly isWhole: boolean;
  readonly mostBytes: number;
}

export function bodyEvidence(body: KeptBytes, facts: BodyFacts): BodyEvidence {
  const kind = mediaKind(facts.contentType);
  if (body.bytes === 0) return facts.isWhole ? emptyEvidence(kind) : {};
  if (body.truncated) return truncatedEvidence(body, facts);
  const { contentEncoding } = facts;
  if (contentEncoding === undefined) return readableEvidence(body, body.kept(), kind, facts);
  if (!facts.isWhole) return { sha256: body.sha256() };
  const unpacked = unpack(body.kept(), contentEncoding, facts);
  if ('fault' in unpacked) return { sha256: body.sha256(), broken: unpacked.fault };
  return readableEvidence(body, unpacked.bytes, kind, facts);
}

function emptyEvidence(kind: MediaKind): BodyEvidence {
  return kind === 'json' ? { text: '', broken: 'it says JSON and is empty' } : {};
}

function truncatedEvidence(body: KeptBytes, { contentType, contentEncoding }: BodyFacts): BodyEvidence {
  const text = contentEncoding === undefined ? bodyText(contentType, body.kept(), true) : undefined;
  return { ...(text === undefined ? {} : { text }), sha256: body.sha256(), truncated: true };
}

function readableEvidence(body: KeptBytes, bytes: Buffer, kind: MediaKind, facts: BodyFacts): BodyEvidence {
  if (kind === 'json') return jsonEvidence(bytes, facts.isWhole);
  const text = bodyText(facts.contentType, bytes, !facts.isWhole);
  const isPlain = kind === 'text' || facts.contentType === undefined;
  return {
    ...(text === undefined ? {} : { text }),
    ...(text === undefined || !isPlain ? { sha256: body.sha256() } : {}),
  };
}

function jsonEvidence(bytes: Buffer, isWhole: boolean): BodyEvidence {
  const text = utf8Text(bytes, !isWhole);
  if (!isWhole) return { text };
  const parsed = isUtf8(bytes) ? parseJson(text) : { fault: 'it is not UTF-8' };
  return 'value' in parsed
    ? { json: parsed.value }
    : { text, broken: `it says JSON and is none: ${parsed.fault}` };
}
