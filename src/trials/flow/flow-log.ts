/** What a flow prints goes to `flow.log` beside its journal: line by line, redacted and bounded. */
import { closeSync, writeSync } from 'node:fs';
import path from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import type { Redactor } from '../../journal/redaction.ts';
import { openNewFile } from '../../kernel/folders/entries-below.ts';
import { flowLimits } from './flow-limits.ts';

const longestLine = 8 * 1024;
const tailLines = 8;

export function openFlowLog(folder: string, redactor: Redactor) {
  const decoders = { stdout: new StringDecoder(), stderr: new StringDecoder() };
  const rests = { stdout: '', stderr: '' };
  const last: string[] = [];
  let file: number | undefined;
  let left: number = flowLimits.logBytes;
  const put = (text: string): void => {
    file ??= openNewFile(path.join(folder, 'flow.log'));
    writeSync(file, `${text}\n`);
    last.push(text);
    if (last.length > tailLines) last.shift();
  };
  const writeLine = (line: string): void => {
    if (left <= 0) return;
    const text = redactor.redact(line.slice(0, longestLine));
    left -= Buffer.byteLength(text) + 1;
    put(left > 0 ? text : `… what it printed after ${flowLimits.logBytes} bytes was not kept`);
  };
  return {
    write: (bytes: Buffer, stream: 'stdout' | 'stderr'): void => {
      const lines = (rests[stream] + decoders[stream].write(bytes)).split('\n');
      const rest = lines.pop() ?? '';
      for (const line of lines) writeLine(line);
      const isLong = rest.length > longestLine;
      if (isLong) writeLine(rest);
      rests[stream] = isLong ? '' : rest;
    },
    /** The last lines, for the report of a failure. */
    tail: (): readonly string[] => last,
    close: (): void => {
      for (const rest of Object.values(rests)) if (rest !== '') writeLine(rest);
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}

export type FlowLog = ReturnType<typeof openFlowLog>;
