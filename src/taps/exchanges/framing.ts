/** Frames a body again: in chunks where the consumer supports them, otherwise until the connection ends. */
import { STATUS_CODES } from 'node:http';
import type { RequestHead, ResponseHead } from '../../protocols/http/http-message.ts';
import { bodyPart, type EditedPart, endPart, framePart, type Part } from './exchange-edit.ts';

const ownHeaders = /^(?:content-length|transfer-encoding|trailer)$/i;

export class Framing {
  readonly #inChunks: boolean;

  constructor(request: RequestHead, response: Pick<ResponseHead, 'minor'> = { minor: 1 }) {
    this.#inChunks = request.minor === 1 && response.minor === 1;
  }

  /** The head as it came, without its framing headers. */
  changedHead(part: Extract<Part<ResponseHead>, { is: 'head' }>): Part<ResponseHead> {
    const kept = headLines(part.raw).filter((line) => !this.#isOwn(nameOf(line)));
    return { is: 'head', head: part.head, raw: joinHead([...kept, this.#announcement()], 'latin1') };
  }

  newHead(status: number, headers: Readonly<Record<string, string>>): Part<ResponseHead> {
    const given = Object.entries(headers).filter(([name]) => !this.#isOwn(name));
    return printHead(status, given, [this.#announcement()]);
  }

  body(bytes: Buffer): readonly Part<ResponseHead>[] {
    if (bytes.length === 0) return [];
    if (!this.#inChunks) return [bodyPart(bytes)];
    return [framePart(`${bytes.length.toString(16)}\r\n`), bodyPart(bytes), framePart('\r\n')];
  }

  end(): readonly EditedPart<ResponseHead>[] {
    return this.#inChunks ? [framePart('0\r\n\r\n'), endPart] : [endPart, { do: 'cut', by: 'fin' }];
  }

  #isOwn(name: string): boolean {
    return ownHeaders.test(name) || (!this.#inChunks && name.toLowerCase() === 'connection');
  }

  #announcement(): string {
    return this.#inChunks ? 'transfer-encoding: chunked' : 'connection: close';
  }
}

/** The head as it came, for a body of this length that is not compressed. */
export function resizedHead(
  part: Extract<Part<ResponseHead>, { is: 'head' }>,
  bytes: number,
): Part<ResponseHead> {
  const kept = headLines(part.raw).filter((line) => !ofOtherBody.test(nameOf(line)));
  const raw = joinHead([...kept, `content-length: ${bytes}`], 'latin1');
  return { is: 'head', head: part.head, raw };
}

const ofOtherBody = /^(?:content-length|transfer-encoding|trailer|content-encoding|content-md5|etag)$/i;

/** A response with its length. A HEAD gets no body, and after a request that asks for it the connection ends. */
export function wholeResponse(
  request: RequestHead,
  status: number,
  headers: Readonly<Record<string, string>>,
  body: Buffer,
): readonly EditedPart<ResponseHead>[] {
  const given = Object.entries(headers).filter(([name]) => !ownHeaders.test(name));
  const isBare = status < 200 || status === 204 || status === 304;
  const saysClose = given.some(([name, value]) => /^connection$/i.test(name) && /close/i.test(value));
  const closes = saysClose || wantsClose(request);
  const own = [
    ...(isBare ? [] : [`content-length: ${body.length}`]),
    ...(closes && !saysClose ? ['connection: close'] : []),
  ];
  const hasBody = !isBare && request.method !== 'HEAD' && body.length > 0;
  return [
    printHead(status, given, own),
    ...(hasBody ? [bodyPart(body)] : []),
    endPart,
    ...(closes ? [{ do: 'cut', by: 'fin' } as const] : []),
  ];
}

export function wantsClose({ minor, headers }: RequestHead): boolean {
  const connection = headers.connection?.toLowerCase() ?? '';
  return connection.includes('close') || (minor === 0 && !connection.includes('keep-alive'));
}

function printHead(
  status: number,
  given: readonly (readonly [string, string])[],
  own: readonly string[],
): Part<ResponseHead> {
  const reason = STATUS_CODES[status] ?? 'Unknown';
  const lines = given.map(([name, value]) => `${name}: ${value.replace(/[\r\n\0]+/g, ' ')}`);
  const headers = Object.fromEntries(given.map(([name, value]) => [name.toLowerCase(), value]));
  const head: ResponseHead = { status, reason, minor: 1, headers };
  return { is: 'head', head, raw: joinHead([`HTTP/1.1 ${status} ${reason}`, ...lines, ...own], 'utf8') };
}

/** A line that begins with a space goes with the one before it. */
export function headLines(raw: Buffer): string[] {
  return raw
    .toString('latin1')
    .trim()
    .split(/\r?\n(?![ \t])/);
}

export function nameOf(line: string): string {
  return line.slice(0, Math.max(0, line.indexOf(':'))).trim();
}

export function joinHead(lines: readonly string[], encoding: 'latin1' | 'utf8'): Buffer {
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, encoding);
}
