import { expect, onTestFinished, test } from 'vitest';
import type { Random } from '../../kernel/random.ts';
import { createPortChooser, lockPort } from './port-chooser.ts';

/** Draws the same numbers over and over. */
function drawing(...ports: readonly number[]): Random {
  let drawn = 0;
  const integer = (): number => ports[drawn++ % ports.length] as number;
  return { integer } as unknown as Random;
}

test('locks of another process on every port do not block forever', async () => {
  const ports = [15_101, 15_102, 15_103];
  const held = await Promise.all(ports.map(lockPort));
  onTestFinished(() => {
    for (const lock of held) lock?.release();
  });
  const chooser = createPortChooser(drawing(...ports), undefined);
  expect(ports).toContain(await chooser.choose());
});

test('a lock that is held is respected as long as there are other ports', async () => {
  const held = await lockPort(15_104);
  onTestFinished(() => held?.release());
  const chooser = createPortChooser(drawing(15_104, 15_104, 15_105), undefined);
  onTestFinished(() => chooser.release());
  expect(await chooser.choose()).toBe(15_105);
});
