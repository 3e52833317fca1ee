import { expect, test } from 'vitest';
import { openAttemptResources } from './attempt-resources.ts';

test('a thing is made once, and ended in the reverse order, whatever goes wrong on the way', async () => {
  const resources = openAttemptResources();
  const ended: string[] = [];
  const thing = (name: string, fault?: string) => () => ({
    end: async () => {
      ended.push(name);
      if (fault !== undefined) throw new Error(fault);
    },
  });
  const first = resources.once('first', thing('first'));
  resources.once('second', thing('second', 'stuck'));
  resources.once('third', thing('third'));
  expect(resources.once('first', thing('another'))).toBe(first);
  expect(await resources.end()).toEqual(['second: Error: stuck']);
  expect(ended).toEqual(['third', 'second', 'first']);
  expect(await resources.end()).toEqual([]);
  expect(() => resources.once('late', thing('late'))).toThrow(/after the attempt has ended/);
});
