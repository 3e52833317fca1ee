/** The codec `content-length-json`: JSON behind headers with its length in bytes, as language servers speak it. */
import { cutText } from '../../kernel/cut-text.ts';
import type { ByteQueue } from './byte-queue.ts';
import { BrokenRule } from './codec.ts';
import { codecLimits } from './codec-limits.ts';
import { type Cutter, createFrameCodec } from './frame-codec.ts';
import { decodeJson, encodeJson } from './json-text.ts';

const lineFeed = 0x0a;

export const contentLengthJson = createFrameCodec({
  name: 'content-length-json',
  encode: (message) => {
    const body = encodeJson(message);
    return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
  },
  createCutter,
});

interface Headers {
  length?: number;
  /** How many bytes of headers were read. They stay in the queue until the whole frame is there. */
  bytes: number;
}

function createCutter(maxFrameBytes: number): Cutter {
  let headers: Headers = { bytes: 0 };
  let bodyBytes: number | undefined;
  return (queue) => {
    while (bodyBytes === undefined) {
      const line = readLine(queue, headers);
      if (line === undefined) return undefined;
      if (line === '') bodyBytes = finishHeaders(headers, maxFrameBytes);
      else addHeader(headers, line);
    }
    if (queue.length < headers.bytes + bodyBytes) return undefined;
    const body = queue.take(headers.bytes + bodyBytes).subarray(headers.bytes);
    headers = { bytes: 0 };
    bodyBytes = undefined;
    return { message: decodeJson(body) };
  };
}

/** The next header line without its end. A line that can no longer become a header is refused before it ends. */
function readLine(queue: ByteQueue, headers: Headers): string | undefined {
  const arrived = Buffer.from(queue.peek(codecLimits.headerBytes).subarray(headers.bytes));
  const end = arrived.indexOf(lineFeed);
  const line = arrived.toString('latin1', 0, end === -1 ? arrived.length : end);
  refuseHopeless(line.replace(/\r$/, ''));
  if (end === -1) {
    if (queue.length < codecLimits.headerBytes) return undefined;
    throw new BrokenRule('header-too-large', `headers of more than ${codecLimits.headerBytes} bytes`);
  }
  if (!line.endsWith('\r'))
    throw new BrokenRule('header-malformed', `a header ends without CR LF: ${shown(line)}`);
  headers.bytes += end + 1;
  return line.slice(0, -1);
}

function refuseHopeless(line: string): void {
  if (line === '' || /^[A-Za-z][A-Za-z0-9-]*(?::[\t -~]*)?$/.test(line)) return;
  throw new BrokenRule('header-malformed', `no header: ${shown(line)}`);
}

function addHeader(headers: Headers, line: string): void {
  const colon = line.indexOf(':');
  if (colon === -1) throw new BrokenRule('header-malformed', `a header without a colon: ${shown(line)}`);
  const name = line.slice(0, colon).toLowerCase();
  const value = line.slice(colon + 1).trim();
  if (name === 'content-length') addLength(headers, value);
  const charset = name === 'content-type' ? /charset\s*=\s*"?([^\s";]+)/i.exec(value)?.[1] : undefined;
  if (charset !== undefined && !/^utf-?8$/i.test(charset)) {
    throw new BrokenRule('charset-not-utf8', `the charset ${shown(charset)}`);
  }
}

function addLength(headers: Headers, value: string): void {
  if (!/^\d{1,15}$/.test(value))
    throw new BrokenRule('length-not-decimal', `Content-Length: ${shown(value)}`);
  if (headers.length !== undefined)
    throw new BrokenRule('length-twice', `a second Content-Length: ${shown(value)}`);
  headers.length = Number(value);
}

function finishHeaders({ length }: Headers, maxFrameBytes: number): number {
  if (length === undefined) throw new BrokenRule('length-missing', 'headers without Content-Length');
  if (length <= maxFrameBytes) return length;
  throw new BrokenRule('frame-too-large', `a body of ${length} bytes, where ${maxFrameBytes} are accepted`);
}

function shown(text: string): string {
  return JSON.stringify(cutText(text, codecLimits.shownChars));
}
