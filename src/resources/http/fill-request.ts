/** Puts what a request held into the texts of an answer or a callback: `${request.json.chat.id}`. */
import type { PeerRequest } from './peer-request.ts';

/** A text that is nothing but one reference becomes the value itself, whatever that is. */
export function fillRequest<T>(value: T, request: PeerRequest): T {
  return fill(value, request) as T;
}

/** The request does not have what a text asks for. */
export class MissingInRequest extends Error {
  constructor(reference: string) {
    super(`the request has no ${reference}`);
    this.name = 'MissingInRequest';
  }
}

const references = /\$\{request\.([^{}]+)\}/g;
const oneReference = /^\$\{request\.([^{}]+)\}$/;

function fill(value: unknown, request: PeerRequest): unknown {
  if (typeof value === 'string') return fillText(value, request);
  if (Array.isArray(value)) return value.map((item) => fill(item, request));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner, request)]));
}

function fillText(text: string, request: PeerRequest): unknown {
  if (!text.includes('${request.')) return text;
  const [, alone] = oneReference.exec(text) ?? [];
  if (alone !== undefined) return lookUp(alone, request);
  return text.replaceAll(references, (_, path: string) => asText(lookUp(path, request)));
}

function lookUp(path: string, request: PeerRequest): unknown {
  let value: unknown = request;
  for (const step of path.split('.')) {
    const isThere = typeof value === 'object' && value !== null && Object.hasOwn(value, step);
    value = isThere ? (value as Readonly<Record<string, unknown>>)[step] : undefined;
    if (value === undefined) throw new MissingInRequest(path);
  }
  return value;
}

function asText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
