import fc from 'fast-check';
import { expect, test } from 'vitest';
import { bytesField, fixedField, intField } from '../../../test/peers/encode-protobuf.ts';
import { keepSpan } from './keep-span.ts';
import { readProtobufSpans } from './read-protobuf-spans.ts';
import { BadTelemetry } from './sent-span.ts';

/** A message that is nearly right: the fields of spans, with what may be anything in them. */
const field = fc.letrec<{ message: Buffer; field: Buffer }>((tie) => ({
  message: fc.array(tie('field'), { maxLength: 6 }).map((fields) => Buffer.concat(fields)),
  field: fc.oneof(
    { maxDepth: 6, depthSize: 'medium' },
    fc
      .tuple(fc.integer({ min: 1, max: 16 }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
      .map(([n, v]) => intField(n, v)),
    fc
      .tuple(fc.integer({ min: 1, max: 16 }), fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }))
      .map(([n, v]) => fixedField(n, v)),
    fc.tuple(fc.integer({ min: 1, max: 16 }), fc.string()).map(([n, v]) => bytesField(n, v)),
    fc.tuple(fc.constantFrom(1, 2, 5, 6, 9, 11, 15), tie('message')).map(([n, v]) => bytesField(n, v)),
  ),
})).message;

/** With spans in it, some of them whole. */
const request = fc
  .array(field, { maxLength: 4 })
  .map((spans) => bytesField(1, bytesField(2, Buffer.concat(spans.map((span) => bytesField(2, span))))));

function keepsOrRefuses(body: Buffer): boolean {
  try {
    for (const sent of readProtobufSpans(body, 10)) JSON.stringify(keepSpan(sent, 10_000));
    return true;
  } catch (error) {
    if (error instanceof BadTelemetry) return false;
    throw error;
  }
}

test('any input is kept, or refused with a reason', () => {
  const seen = { kept: 0, refused: 0 };
  fc.assert(
    fc.property(fc.oneof(request, fc.uint8Array({ maxLength: 200 }).map(Buffer.from)), (body) => {
      seen[keepsOrRefuses(body) ? 'kept' : 'refused'] += 1;
    }),
    { numRuns: 2_000 },
  );
  expect(Math.min(seen.kept, seen.refused)).toBeGreaterThan(100);
});

test('a message that is cut anywhere is refused, or has fewer spans', () => {
  const span = bytesField(2, Buffer.concat([bytesField(5, 'name'), fixedField(7, 5n)]));
  const body = bytesField(1, bytesField(2, Buffer.concat([span, span])));
  for (let end = 1; end < body.length; end += 1) expect(keepsOrRefuses(body.subarray(0, end))).toBe(false);
  expect(readProtobufSpans(body, 10)).toHaveLength(2);
  expect(readProtobufSpans(body, 1)).toHaveLength(1);
});
