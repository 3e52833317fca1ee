/** The body of a request: its bytes, how many they are, what type they claim, and what is written down of them. */
import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import path from 'node:path';
import { Readable } from 'node:stream';
import { hexBytes } from '../hex-bytes.ts';
import { findStepFile, type StepFile } from '../step-file.ts';
import type { HttpStep, MultipartPart } from './http-step.ts';

export interface RequestBody {
  /** Whole, or opened again each time it is sent. Null when there is none. */
  readonly content: Buffer | (() => Readable) | null;
  readonly bytes: number;
  readonly type?: string;
  /** For the evidence. */
  readonly shown: { readonly json?: unknown; readonly text?: string };
}

export const noBody: RequestBody = { content: null, bytes: 0, shown: {} };

/** Rejects when a file is missing or something cannot be encoded. Returns small bodies at once. */
export function requestBody(
  step: HttpStep,
  folder: string,
  mostShown: number,
): RequestBody | Promise<RequestBody> {
  if (step.json !== undefined) return jsonBody(step.json);
  if (step.text !== undefined) return textBody(step.text, 'text/plain; charset=utf-8', mostShown);
  if (step.form !== undefined) {
    const text = new URLSearchParams(step.form).toString();
    return textBody(text, 'application/x-www-form-urlencoded', mostShown);
  }
  if (step.multipart !== undefined) return multipartBody(step.multipart, folder);
  if (step.body?.hex !== undefined) return binaryBody(hexBytes(step.body.hex));
  if (step.body?.file !== undefined) return fileBody(step.body.file, folder);
  return noBody;
}

function jsonBody(json: unknown): RequestBody {
  const text = JSON.stringify(json);
  if (text === undefined) throw new Error(`\`json\` is ${typeof json}, which JSON cannot represent`);
  const content = Buffer.from(text);
  return { content, bytes: content.length, type: 'application/json', shown: { json } };
}

function textBody(text: string, type: string, mostShown: number): RequestBody {
  const content = Buffer.from(text);
  return { content, bytes: content.length, type, shown: { text: text.slice(0, mostShown) } };
}

function binaryBody(content: Buffer): RequestBody {
  return { content, bytes: content.length, type: 'application/octet-stream', shown: {} };
}

async function fileBody(name: string, folder: string): Promise<RequestBody> {
  const file = await findStepFile(name, folder);
  return {
    content: () => createReadStream(file.path),
    bytes: file.bytes,
    type: 'application/octet-stream',
    shown: {},
  };
}

type Piece = Buffer | StepFile;

/** A multipart form: fields and files, streamed, with a length that is known before the first byte goes. */
async function multipartBody(parts: readonly MultipartPart[], folder: string): Promise<RequestBody> {
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
