/** Reads the new lines of a service's log as people see them. */
import { steeringSequence } from '../../kernel/printable.ts';
import { utf8Text } from '../../kernel/utf8-text.ts';
import { createLineReader, type RawLine } from '../line-reader.ts';
import { observerLimits } from '../observer-limits.ts';

export interface LogLine {
  /** Counted from where the reading began, from 1. */
  readonly line: number;
  /** Without its end, without colours, and cut when it is very long. */
  readonly text: string;
  /** Where in the file it begins. */
  readonly offset: number;
  readonly isCut?: true;
}

/** A line of which more is known than is shown. */
export interface LongLine {
  readonly shown: LogLine;
  /** What an expression is looked for in. */
  readonly text: string;
  /** It continues beyond that. */
  readonly isCut: boolean;
}

export interface LogReaderOptions {
  readonly signal: AbortSignal;
  /** Only lines with one of these texts in them are wanted. */
  readonly texts?: readonly string[];
  /** What to make of a line that was begun before the place where the reading begins. */
  readonly joined?: (text: string) => string;
}

const colourMark = '\x1b';
/** Where a part of the log was dropped, because it was too large, there are zeros: more than a line may have, so that it counts as cut. */
export const droppedMark = '\0'.repeat(64);

/** Begins at an offset of the file, so that what was written before is not looked at. */
export function createLogReader(file: string, from: number, { signal, texts, joined }: LogReaderOptions) {
  const reader = createLineReader({
    from,
    lineBytes: observerLimits.logMatchBytes,
    endsAtReturn: true,
    signal,
    // A colour code may be in the middle of a text; a line with one is always examined.
    ...(texts ? { texts: [...texts, colourMark, droppedMark] } : {}),
  });
  const read = (line: RawLine): LongLine => {
    const { shown, text, isCut } = readable(line);
    if (!joined || line.offset > from) return { shown, text, isCut };
    return { shown: { ...shown, text: joined(shown.text) }, text: joined(text), isCut };
  };
  return {
    /** Hands over every line that was finished since the last time. */
    readOn: (take: (line: LongLine) => void): Promise<void> =>
      reader.readOn(file, (line) => take(read(line))),
    /** What has been written of the next line. */
    unfinished: (): LongLine | undefined => {
      const line = reader.unfinished();
      return line && read(line);
    },
  };
}

function readable({ number, offset, bytes, isCut }: RawLine): LongLine {
  const text = plainText(bytes, isCut);
  const { logLineBytes } = observerLimits;
  if (bytes.length <= logLineBytes) return { shown: { line: number, text, offset }, text, isCut };
  const shown = plainText(bytes.subarray(0, logLineBytes), true);
  return { shown: { line: number, text: shown, offset, isCut: true }, text, isCut };
}

function plainText(bytes: Buffer, isCut: boolean): string {
  const text = utf8Text(bytes, isCut);
  const plain = text.includes(colourMark) ? text.replaceAll(steeringSequence, '') : text;
  return plain.endsWith('\r') ? plain.slice(0, -1) : plain;
}
