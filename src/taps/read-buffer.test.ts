import { expect, test } from 'vitest';
import { readBuffer } from './read-buffer.ts';

const memory = (options: ReturnType<typeof readBuffer>): Uint8Array =>
  typeof options.buffer === 'function' ? options.buffer() : options.buffer;

test('memory that is free again is used again', () => {
  const options = readBuffer(() => true);
  const first = memory(options);
  options.callback(10, first);
  expect(memory(options)).toBe(first);
});

test('memory that is still referenced is not reused', () => {
  const options = readBuffer(() => false);
  const first = memory(options);
  options.callback(10, first);
  expect(memory(options)).not.toBe(first);
  expect(memory(options)).toHaveLength(first.length);
});

test('a source that fills it gets more, up to a limit, and only what was read is handed on', () => {
  const taken: number[] = [];
  const options = readBuffer((chunk) => taken.push(chunk.length) > 0);
  const sizes = Array.from({ length: 6 }, () => {
    const { length } = memory(options);
    options.callback(length, memory(options));
    return length;
  });
  options.callback(3, memory(options));
  expect(sizes).toEqual([8, 32, 128, 256, 256, 256].map((kb) => kb * 1024));
  expect(taken).toEqual([...sizes, 3]);
});
