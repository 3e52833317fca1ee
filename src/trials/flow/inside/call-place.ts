/** Finds in a stack where in the flow's own file something was called, or failed. */
import { fileURLToPath } from 'node:url';
import { ownFolder } from '../../../kernel/own-files.ts';

export interface CallPlace {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** The frame in the flow's file; without one, the first in a user file. */
export function callPlace(error: unknown, flowFile: string): CallPlace | undefined {
  const frames = framesOf(error).filter(({ file }) => !file.startsWith(`${ownFolder}/`));
  return (
    frames.find(({ file }) => file === flowFile) ??
    frames.find(({ file }) => !file.includes('/node_modules/'))
  );
}

function framesOf(error: unknown): readonly CallPlace[] {
  const stack = error instanceof Error ? (error.stack ?? '') : '';
  return stack.split('\n').flatMap((frame) => {
    const [, address, line, column] =
      /(?:\(|at (?:async )?)((?:file:\/\/|\/)[^()]*?):(\d+):(\d+)\)?$/.exec(frame) ?? [];
    if (address === undefined) return [];
    const file = address.startsWith('file://') ? fileURLToPath(address.replace(/[?#].*$/, '')) : address;
    return [{ file, line: Number(line), column: Number(column) }];
  });
}
