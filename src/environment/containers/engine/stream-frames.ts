/** Takes apart what a container prints: the engine puts both outputs on one connection, in frames with a head of eight bytes. Pure. */

export interface OutputPiece {
  readonly from: 'stdout' | 'stderr';
  readonly bytes: Buffer;
}

const headBytes = 8;

/** With a terminal there are no frames. A frame that is cut off at the end is given as far as it came. */
export async function* readFrames(
  source: AsyncIterable<Uint8Array>,
  isRaw = false,
): AsyncGenerator<OutputPiece> {
  let head = Buffer.alloc(0);
  let left = 0;
  let from: OutputPiece['from'] = 'stdout';
  for await (const chunk of source) {
    let bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (isRaw) {
      yield { from, bytes };
      continue;
    }
    while (bytes.length > 0) {
      if (left === 0) {
        const missing = headBytes - head.length;
        head = Buffer.concat([head, bytes.subarray(0, missing)]);
        bytes = bytes.subarray(missing);
        if (head.length < headBytes) break;
        from = head[0] === 2 ? 'stderr' : 'stdout';
        left = head.readUInt32BE(4);
        head = Buffer.alloc(0);
        continue;
      }
      const piece = bytes.subarray(0, left);
      left -= piece.length;
      bytes = bytes.subarray(piece.length);
      yield { from, bytes: piece };
    }
  }
}
