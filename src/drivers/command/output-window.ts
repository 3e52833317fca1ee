/** What a program printed from one step's beginning to the next one's. */
import type { Offsets, OutputFiles, OutputText } from './output-files.ts';

export function openWindow(files: OutputFiles, mostBytes: number, from: Offsets = files.sizes()) {
  let sealed: OutputText | undefined;
  const read = (): OutputText => sealed ?? files.read(from, files.sizes(), mostBytes);
  return {
    read,
    /** What is printed from now on belongs to another step; what was printed before is read into memory. */
    seal: (): void => {
      sealed = read();
    },
  };
}

export type OutputWindow = ReturnType<typeof openWindow>;
