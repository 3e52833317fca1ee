/** Packs the JSON of a report into texts that HTML can hold: gzip, in base64, a few at a time beside the reading. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';

const gzipped = promisify(gzip);
const atOnce = 4;

export async function packJson(json: string): Promise<string> {
  return (await gzipped(json)).toString('base64');
}

export function openChunks() {
  const packed: Promise<string>[] = [];
  let bytes = 0;
  const pack = async (json: string): Promise<string> => {
    const text = await packJson(json);
    bytes += text.length;
    return text;
  };
  return {
    /** The number of the chunk. Resolves when there is room for the next. */
    add: async (json: string): Promise<number> => {
      const number = packed.push(pack(json)) - 1;
      await packed[number - atOnce];
      return number;
    },
    /** Of those that are packed so far. */
    bytes: (): number => bytes,
    all: (): Promise<readonly string[]> => Promise.all(packed),
  };
}

export type Chunks = ReturnType<typeof openChunks>;
