import { expect, test } from 'vitest';
import { openBelongings } from './belongings.ts';

test('a thing is made once, and ended in the reverse order, whatever goes wrong on the way', async () => {
  const belongings = openBelongings();
  const ended: string[] = [];
  const thing = (name: string, fault?: string) => () => ({
    end: async () => {
      ended.push(name);
      if (fault !== undefined) throw new Error(fault);
    },
  });
  const first = belongings.once('first', thing('first'));
  belongings.once('second', thing('second', 'stuck'));
  belongings.once('third', thing('third'));
  expect(belongings.once('first', thing('another'))).toBe(first);
  expect(await belongings.end()).toEqual(['second: Error: stuck']);
  expect(ended).toEqual(['third', 'second', 'first']);
  expect(await belongings.end()).toEqual([]);
  expect(() => belongings.once('late', thing('late'))).toThrow(/after the attempt has ended/);
});
