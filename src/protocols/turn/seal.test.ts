import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSeal, isSealOfBytes, seal } from './seal.ts';

test('a seal is known again, is of its text alone, and no character of it can be changed', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.nat({ max: 84 }), (text, other, at) => {
      const sealed = seal(text);
      expect(isSeal(sealed)).toBe(true);
      expect(seal(text)).toBe(sealed);
      if (text !== other) expect(seal(other)).not.toBe(sealed);
      const changed = sealed[at] === 'A' ? 'B' : 'A';
      expect(isSeal(sealed.slice(0, at) + changed + sealed.slice(at + 1))).toBe(false);
      expect(isSeal(`${sealed}AAAA`)).toBe(false);
    }),
    { numRuns: 100 },
  );
  for (const value of ['', 'abc', undefined, 7]) expect(isSeal(value)).toBe(false);
});

test('as bytes it may come back in the other alphabet, without padding; altered it is not accepted', () => {
  for (const text of ['a', 'b', 'c', 'd']) {
    const urlSafe = Buffer.from(seal(text), 'base64').toString('base64url');
    expect([isSealOfBytes(urlSafe), isSealOfBytes(seal(text))]).toEqual([true, true]);
    expect(isSealOfBytes(`${seal(text)}AAAA`)).toBe(false);
    expect(isSealOfBytes(`A${urlSafe.slice(1)}`) && !urlSafe.startsWith('A')).toBe(false);
  }
});
