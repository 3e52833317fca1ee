/** Finds the position in the user's files from which an error came, by its stack. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { orElse } from '../../kernel/or-else.ts';
import { ownFolder } from '../../kernel/own-files.ts';
import type { SourcePosition } from '../../kernel/source-position.ts';
import { normaliseText } from './read-text.ts';

/** The position that Node prints above the message of a syntax error: `file:line`, the line itself, and carets. */
export function headOfStack(error: unknown, file: string, text: string): SourcePosition | undefined {
  const lines = stackOf(error);
  const line = Number(/:(\d+)$/.exec(lines[0] ?? '')?.[1]);
  if (!Number.isInteger(line) || line < 1) return undefined;
  const carets = /^(\s*)(\^+)\s*$/.exec(
    lines.slice(1, 8).find((candidate) => /^\s*\^+\s*$/.test(candidate)) ?? '',
  );
  return positionOnLine(file, text, line, (carets?.[1]?.length ?? 0) + 1, carets?.[2]?.length ?? 1);
}

/** The file named in the first line of a syntax error's stack. */
export function fileAtHeadOfStack(error: unknown): string | undefined {
  const [first = ''] = stackOf(error);
  return toPath(first.replace(/:\d+$/, ''));
}

/** The first frame in a user file; below our first frame there are only our callers. */
export function firstUserFrame(error: unknown): SourcePosition | undefined {
  for (const frame of stackOf(error)) {
    const match = /(?:\(|at (?:async )?)((?:file:\/\/|\/)[^()]*?):(\d+):(\d+)\)?$/.exec(frame);
    const file = match && toPath(match[1] as string);
    if (file?.startsWith(`${ownFolder}/`)) return undefined;
    if (!match || !file || file.includes('/node_modules/')) continue;
    return positionOnLine(file, readOrEmpty(file), Number(match[2]), Number(match[3]), 1);
  }
  return undefined;
}

/** Node computes it on access, which may call code of the thrown value. */
function stackOf(error: unknown): readonly string[] {
  return orElse(() => (error instanceof Error ? String(error.stack).split('\n') : []), []);
}

function positionOnLine(
  file: string,
  text: string,
  line: number,
  column: number,
  length: number,
): SourcePosition {
  const lines = text.split('\n');
  return { file, line, column, excerpt: lines.slice(Math.max(0, line - 2), line).join('\n'), length };
}

function toPath(address: string): string | undefined {
  if (address.startsWith('file://')) return fileURLToPath(address.replace(/[?#].*$/, ''));
  return address.startsWith('/') && existsSync(address) ? address : undefined;
}

export function readOrEmpty(file: string): string {
  return existsSync(file) ? normaliseText(readFileSync(file, 'utf8')) : '';
}
