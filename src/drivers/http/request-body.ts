/** The body of a request: its bytes, how many they are, what type they claim, and what is written down of them. */
import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import { hexBytes } from '../hex-bytes.ts';
import { findStepFile } from '../step-file.ts';
import type { HttpStep } from './http-step.ts';
import { multipartBody } from './multipart-body.ts';

export interface RequestBody {
  /** Whole, or opened anew each time it is sent. Null when there is none. */
  readonly content: Buffer | (() => Readable) | null;
  readonly bytes: number;
  readonly type?: string;
  /** For the evidence. */
  readonly shown: { readonly json?: unknown; readonly text?: string };
}

export const noBody: RequestBody = { content: null, bytes: 0, shown: {} };

/** Rejects when a file is not there or something cannot be said. Gives small bodies at once. */
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
  if (text === undefined) throw new Error(`\`json\` is ${typeof json}, which JSON cannot say`);
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
