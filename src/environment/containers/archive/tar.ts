/** Writes tar archives, the form in which the engine takes files. Pure, apart from what the entries read. */

export interface TarEntry {
  /** Without a leading slash. */
  readonly name: string;
  readonly type: 'file' | 'folder' | 'link';
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly mtimeMs: number;
  /** Of a file. */
  readonly size?: number;
  readonly content?: () => AsyncIterable<Uint8Array>;
  /** Of a link. */
  readonly target?: string;
}

const block = 512;
const flags = { file: '0', folder: '5', link: '2' } as const;

export async function* writeTar(
  entries: AsyncIterable<TarEntry> | Iterable<TarEntry>,
): AsyncGenerator<Uint8Array> {
  for await (const entry of entries) {
    yield* headOf(entry);
    if (entry.type === 'file') yield* contentOf(entry);
  }
  yield Buffer.alloc(2 * block);
}

/** A file that has shrunk or grown since it was listed gets the size that its head says. */
async function* contentOf({ size = 0, content }: TarEntry): AsyncGenerator<Uint8Array> {
  let left = size;
  if (content && left > 0)
    for await (const piece of content()) {
      yield piece.subarray(0, left);
      left -= Math.min(left, piece.length);
      if (left === 0) break;
    }
  const padding = left + ((block - (size % block)) % block);
  for (let at = 0; at < padding; at += 65_536) yield Buffer.alloc(Math.min(65_536, padding - at));
}

function* headOf(entry: TarEntry): Generator<Uint8Array> {
  const name = entry.type === 'folder' ? `${entry.name}/` : entry.name;
  const { target = '', size = 0, uid, gid } = entry;
  const long = {
    ...(Buffer.byteLength(name) > 100 ? { path: name } : {}),
    ...(Buffer.byteLength(target) > 100 ? { linkpath: target } : {}),
    ...(size >= 8 ** 11 ? { size: String(size) } : {}),
    ...(uid >= 8 ** 7 ? { uid: String(uid) } : {}),
    ...(gid >= 8 ** 7 ? { gid: String(gid) } : {}),
  };
  const records = Buffer.from(Object.entries(long).map(paxRecord).join(''));
  if (records.length > 0) {
    yield head({ ...entry, name: 'pax', target: '', size: records.length, uid: 0, gid: 0 }, 'x');
    yield records;
    yield Buffer.alloc((block - (records.length % block)) % block);
  }
  yield head({ ...entry, name, size: entry.type === 'file' ? size : 0 }, flags[entry.type]);
}

/** Its length counts itself. */
function paxRecord([key, value]: readonly [string, string]): string {
  const rest = ` ${key}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  const length = bytes + String(bytes + String(bytes).length).length;
  return `${length}${rest}`;
}

function head(entry: TarEntry, flag: string): Buffer {
  const bytes = Buffer.alloc(block);
  const text = (value: string, at: number, length: number): void => {
    Buffer.from(value).copy(bytes, at, 0, length);
  };
  const octal = (value: number, at: number, length: number): void =>
    text(
      Math.min(value, 8 ** (length - 1) - 1)
        .toString(8)
        .padStart(length - 1, '0'),
      at,
      length - 1,
    );
  text(entry.name, 0, 100);
  octal(entry.mode & 0o7777, 100, 8);
  octal(entry.uid, 108, 8);
  octal(entry.gid, 116, 8);
  octal(entry.size ?? 0, 124, 12);
  octal(Math.max(0, Math.floor(entry.mtimeMs / 1_000)), 136, 12);
  text(' '.repeat(8), 148, 8);
  text(flag, 156, 1);
  text(entry.target ?? '', 157, 100);
  text('ustar\u000000', 257, 8);
  const sum = bytes.reduce((total, byte) => total + byte, 0);
  text(`${sum.toString(8).padStart(6, '0')}\0 `, 148, 8);
  return bytes;
}
