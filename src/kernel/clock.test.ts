import { execFileSync } from 'node:child_process';
import { expect, test } from 'vitest';

/** A process that had to wait for a processor between the first readings of its clocks. */
const slowProcess = `
const read = performance.now.bind(performance);
performance.now = () => {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60);
  performance.now = read;
  return read();
};
const { systemClock } = await import(${JSON.stringify(new URL('./clock.ts', import.meta.url))});
const machine = () => Number(process.hrtime.bigint()) / 1e6;
const times = [machine(), systemClock.monotonic(), machine()];
console.log(JSON.stringify(times));
`;

test('the monotonic clock is that of the machine, however long a process had to wait: two processes agree', () => {
  const said = execFileSync(process.execPath, ['--input-type=module', '-e', slowProcess], {
    encoding: 'utf8',
  });
  const times = JSON.parse(said) as number[];
  expect(times.toSorted((a, b) => a - b)).toEqual(times);
});
