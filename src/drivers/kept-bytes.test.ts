import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keepBytes } from './kept-bytes.ts';

test('whatever the chunks and the limit: the beginning is kept, everything is counted and hashed', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 20 }), { maxLength: 12 }), fc.nat(60), (chunks, most) => {
      const body = keepBytes(most);
      const sofar: Uint8Array[] = [];
      for (const chunk of [new Uint8Array(), ...chunks]) {
        body.push(chunk);
        sofar.push(chunk);
        const whole = Buffer.concat(sofar);
        expect(body.bytes).toBe(whole.length);
        expect(body.truncated).toBe(whole.length > most);
        expect(body.kept().equals(whole.subarray(0, most))).toBe(true);
        expect(body.sha256()).toBe(createHash('sha256').update(whole).digest('hex'));
      }
    }),
  );
});
