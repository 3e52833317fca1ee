/** Reads one user text file: bounded, UTF-8, without a byte-order mark, lines ended by LF. */
import { readFile, stat } from 'node:fs/promises';
import { limits } from '../../kernel/limits.ts';
import { orElse } from '../../kernel/or-else.ts';
import { Problem } from '../../kernel/problem.ts';
import type { ProblemCode } from '../../kernel/problem-codes.ts';
import { formatSize } from '../../kernel/size.ts';
import { positionAt, type SourcePosition } from '../../kernel/source-position.ts';

/** What the file is for the user, and the codes to use when it cannot be read, or is absent where that differs. */
export interface TextKind {
  readonly noun: string;
  readonly absent?: ProblemCode;
  readonly unreadable: ProblemCode;
  /** Where the file is named; the file itself when absent. */
  readonly namedAt?: () => SourcePosition;
}

export async function readText(file: string, kind: TextKind): Promise<string> {
  const bytes = await readBounded(file, kind);
  try {
    return normaliseText(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch (error) {
    throw notUtf8(file, bytes, kind, error);
  }
}

/** Positions stay correct: neither a byte-order mark nor a carriage return counts as a column. */
export function normaliseText(text: string): string {
  return text.replace(/^\uFEFF/, '').replaceAll('\r\n', '\n');
}

async function readBounded(file: string, kind: TextKind): Promise<Buffer> {
  const where = (): SourcePosition | string => kind.namedAt?.() ?? file;
  const facts = await stat(file).catch((error: NodeJS.ErrnoException) => {
    throw cannotRead(file, where(), kind, error);
  });
  if (!facts.isFile()) throw notAFile(file, where(), kind);
  if (facts.size > limits.configBytes) throw tooLarge(file, facts.size, where(), kind);
  return readFile(file).catch((error: NodeJS.ErrnoException) => {
    throw cannotRead(file, where(), kind, error);
  });
}

function cannotRead(
  file: string,
  where: SourcePosition | string,
  kind: TextKind,
  error: NodeJS.ErrnoException,
): Problem {
  const absent = error.code === 'ENOENT' || error.code === 'ENOTDIR';
  return new Problem({
    code: (absent ? kind.absent : undefined) ?? kind.unreadable,
    where,
    what: absent
      ? `there is no ${kind.noun} ${file}`
      : `the ${kind.noun} ${file} cannot be read: ${error.code ?? error.message}`,
    allowed: `a ${kind.noun} that exists and that you may read`,
    next: absent ? 'correct the path, or create the file' : `look at its permissions: ls -l ${file}`,
    cause: error,
  });
}

function notAFile(file: string, where: SourcePosition | string, kind: TextKind): Problem {
  return new Problem({
    code: kind.unreadable,
    where,
    what: `${file} is not a file`,
    allowed: `a ${kind.noun}, which is an ordinary file`,
    next: 'give the path of the file itself, not of its folder',
  });
}

function tooLarge(file: string, size: number, where: SourcePosition | string, kind: TextKind): Problem {
  return new Problem({
    code: kind.unreadable,
    where,
    what: `the ${kind.noun} ${file} has ${size} bytes`,
    allowed: `at most ${limits.configBytes} bytes (${formatSize(limits.configBytes)})`,
    next: 'check that this is the file you meant; generated data belongs in another file',
  });
}

function notUtf8(file: string, bytes: Buffer, kind: TextKind, cause: unknown): Problem {
  const offset = firstBadByte(bytes);
  const before = bytes.subarray(0, offset).toString('utf8');
  const byte = (bytes[offset] ?? 0).toString(16).padStart(2, '0');
  return new Problem({
    code: kind.unreadable,
    where: positionAt(file, `${before}\uFFFD`, before.length),
    what: `the ${kind.noun} is not UTF-8: byte 0x${byte} at offset ${offset}`,
    allowed: 'text in UTF-8',
    next: `save it as UTF-8: iconv -f ${isUtf16(bytes) ? 'utf-16' : 'latin1'} -t utf-8 ${file}`,
    cause,
  });
}

/** The end of the longest valid UTF-8 prefix: by bisection, then back over a truncated character. */
function firstBadByte(bytes: Buffer): number {
  let low = 0;
  let high = bytes.length;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (decodes(bytes.subarray(0, middle), true)) low = middle;
    else high = middle - 1;
  }
  while (!decodes(bytes.subarray(0, low), false)) low -= 1;
  return low;
}

function decodes(bytes: Uint8Array, stream: boolean): boolean {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  return orElse(() => decoder.decode(bytes, { stream }), undefined) !== undefined;
}

function isUtf16(bytes: Buffer): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}
