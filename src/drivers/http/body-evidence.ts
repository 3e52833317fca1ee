/** What is written down of a response's body: JSON or text where it says so, else how many bytes and their hash. */
import { isUtf8 } from 'node:buffer';
import { utf8Text } from '../../kernel/utf8-text.ts';
import type { KeptBytes } from '../kept-bytes.ts';
import { parseJson } from '../parse-json.ts';
import { decompress } from './decompress.ts';
import { type BodyKind, bodyKind, decodedText } from './media-type.ts';

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
  const kind = bodyKind(facts.contentType);
  if (body.bytes === 0) return facts.isWhole ? emptyEvidence(kind) : {};
  if (body.truncated) return truncatedEvidence(body, kind, facts);
  const { contentEncoding } = facts;
  if (contentEncoding === undefined) return readableEvidence(body, body.kept(), kind, facts);
  if (!facts.isWhole) return { sha256: body.sha256() };
  const unpacked = decompress(body.kept(), contentEncoding, facts.mostBytes);
  if ('fault' in unpacked) return { sha256: body.sha256(), broken: unpacked.fault };
  return readableEvidence(body, unpacked.bytes, kind, facts);
}

function emptyEvidence(kind: BodyKind): BodyEvidence {
  return kind === 'json' ? { text: '', broken: 'it says JSON and is empty' } : {};
}

function truncatedEvidence(body: KeptBytes, kind: BodyKind, facts: BodyFacts): BodyEvidence {
  const readable = (kind === 'json' || kind === 'text') && facts.contentEncoding === undefined;
  return {
    ...(readable ? { text: decodedText(facts.contentType, body.kept(), true) } : {}),
    sha256: body.sha256(),
    truncated: true,
  };
}

function readableEvidence(body: KeptBytes, bytes: Buffer, kind: BodyKind, facts: BodyFacts): BodyEvidence {
  if (kind === 'json') return jsonEvidence(bytes, facts.isWhole);
  if (kind === 'text') return { text: decodedText(facts.contentType, bytes, !facts.isWhole) };
  if (kind === 'unsaid' && isUtf8(bytes)) return { text: decodedText(undefined, bytes) };
  return { sha256: body.sha256() };
}

function jsonEvidence(bytes: Buffer, isWhole: boolean): BodyEvidence {
  const text = utf8Text(bytes, !isWhole);
  if (!isWhole) return { text };
  const parsed = isUtf8(bytes) ? parseJson(text) : { fault: 'it is not UTF-8' };
  return 'value' in parsed
    ? { json: parsed.value }
    : { text, broken: `it says JSON and is none: ${parsed.fault}` };
}
