/** A multipart form: fields and files, streamed, with a length that is known before the first byte goes. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { hexBytes } from '../hex-bytes.ts';
import { findStepFile, type StepFile } from '../step-file.ts';
import type { MultipartPart } from './http-step.ts';
import type { RequestBody } from './request-body.ts';

type Piece = Buffer | StepFile;

export async function multipartBody(parts: readonly MultipartPart[], folder: string): Promise<RequestBody> {
  const boundary = boundaryOf(parts);
  const pieces: Piece[] = [];
  for (const part of parts) {
    pieces.push(Buffer.from(partHead(part, boundary)), await partContent(part, folder), Buffer.from('\r\n'));
  }
  pieces.push(Buffer.from(`--${boundary}--\r\n`));
  return {
    content: () => Readable.from(bytesOf(pieces)),
    bytes: pieces.reduce((sum, piece) => sum + (Buffer.isBuffer(piece) ? piece.length : piece.bytes), 0),
    type: `multipart/form-data; boundary=${boundary}`,
    shown: {},
  };
}

/** Made from what is sent, so that the same step sends the same bytes each time. */
function boundaryOf(parts: readonly MultipartPart[]): string {
  return `shakedown-${createHash('sha256').update(JSON.stringify(parts)).digest('hex').slice(0, 32)}`;
}

function partHead(part: MultipartPart, boundary: string): string {
  const filename = part.filename ?? (part.file === undefined ? undefined : path.basename(part.file));
  const type = part.type ?? (part.text === undefined ? 'application/octet-stream' : undefined);
  return [
    `--${boundary}`,
    `content-disposition: form-data; name="${quotable(part.name)}"${filename === undefined ? '' : `; filename="${quotable(filename)}"`}`,
    ...(type === undefined ? [] : [`content-type: ${type.replaceAll(/[\r\n]/g, ' ')}`]),
    '',
    '',
  ].join('\r\n');
}

/** As browsers do it. */
function quotable(name: string): string {
  return name.replaceAll('\r', '%0D').replaceAll('\n', '%0A').replaceAll('"', '%22');
}

function partContent(part: MultipartPart, folder: string): Piece | Promise<Piece> {
  if (part.text !== undefined) return Buffer.from(part.text);
  if (part.hex !== undefined) return hexBytes(part.hex);
  if (part.file !== undefined) return findStepFile(part.file, folder);
  throw new Error(`the part \`${part.name}\` has none of \`text\`, \`hex\` and \`file\``);
}

async function* bytesOf(pieces: readonly Piece[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) {
    if (Buffer.isBuffer(piece)) yield piece;
    else yield* createReadStream(piece.path);
  }
}
