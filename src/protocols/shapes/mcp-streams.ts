/** Answers of tool servers that break the framing of their transport, or use all that it allows. */
import { printMessage, resultMessage } from '../json-rpc/print-message.ts';
import { printSse } from '../sse/print-sse.ts';
import { type AskedInput, ofLines, pieceOf, sessionHeaders, takesEvents } from './make-mcp.ts';
import type { WireAnswer, WirePiece } from './shape.ts';
import { answerOfTexts } from './wire-answer.ts';

function lineOf({ request, result }: AskedInput): string {
  return printMessage(resultMessage(request.id, result));
}

/** An id and no data, so that a client knows where to go on; then the answer. */
export function primed(input: AskedInput): WireAnswer | undefined {
  if (!takesEvents(input.accept)) return undefined;
  const id = input.random.hex(8);
  const texts = [
    printSse({ id: `${id}-0`, retry: 1_000, data: '' }),
    printSse({ event: 'message', id: `${id}-1`, data: lineOf(input) }),
  ];
  return answerOfTexts(texts, { headers: sessionHeaders(input) });
}

export function behindNoise(input: AskedInput): WireAnswer {
  const noise = input.random.pick([
    'Server running on stdio\n',
    '\u001b[32m✔ ready\u001b[0m\n',
    '{"level":"info","msg":"listening"}\n',
    'DeprecationWarning: this is deprecated\n\n',
  ]);
  return ofLines([pieceOf(noise), pieceOf(`${lineOf(input)}\n`)]);
}

export function framedByLength(input: AskedInput): WireAnswer {
  const line = lineOf(input);
  return ofLines([pieceOf(`Content-Length: ${Buffer.byteLength(line)}\r\n\r\n${line}`)]);
}

/** In pieces that end anywhere, with another message in the same piece, with another line ending. */
export function inOddPieces(input: AskedInput): WireAnswer {
  const { random } = input;
  const lineEnd = random.pick(['\n', '\r\n']);
  const log = '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"ok"}}';
  const bytes = Buffer.from(`${log}${lineEnd}${lineOf(input)}${lineEnd}`);
  const pieces: WirePiece[] = [];
  for (let from = 0; from < bytes.length; ) {
    const end = Math.min(bytes.length, from + random.integer(1, Math.max(1, bytes.length >> 1)));
    pieces.push({ bytes: bytes.subarray(from, end) });
    from = end;
  }
  return ofLines(pieces);
}

const mebibyte = Buffer.alloc(1024 * 1024, 'x');

/** A line that breaks off, one that is not UTF-8, or one of a hundred megabytes. */
export function brokenLine(input: AskedInput): WireAnswer {
  const line = Buffer.from(lineOf(input));
  const kind = input.random.integer(0, 2);
  if (kind === 0) return ofLines([{ bytes: line.subarray(0, line.length >> 1) }], 'fin');
  if (kind === 1) {
    const latin = Buffer.from(
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"gr\xfc\xdfe"}}\n',
      'latin1',
    );
    return ofLines([{ bytes: latin }], 'fin');
  }
  const begin = pieceOf('{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"');
  return ofLines([begin, ...Array.from({ length: 100 }, () => ({ bytes: mebibyte }))], 'fin');
}
