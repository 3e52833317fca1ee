import fc from 'fast-check';
import { expect, test } from 'vitest';
import { embedText, geminiEmbeddings } from './embeddings.ts';

test('a vector has the size that is asked for, the length one, and is the same for the same text alone', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.integer({ min: 2, max: 400 }), (text, other, size) => {
      const vector = embedText(text, size);
      expect(vector).toHaveLength(size);
      expect(Math.hypot(...vector)).toBeCloseTo(1, 5);
      expect(embedText(text, size)).toEqual(vector);
      if (text !== other) expect(embedText(other, size)).not.toEqual(vector);
    }),
    { numRuns: 200 },
  );
});

test('of several notes, the one that shares words is the nearest', () => {
  const notes = ['Buy milk and bread today.', 'The dentist is on Monday.', 'Call grandmother.'];
  const asked = embedText('When do I have to be at the dentist?', 256);
  const nearness = notes.map((note) =>
    embedText(note, 256).reduce((sum, value, at) => sum + value * (asked[at] ?? 0), 0),
  );
  expect(nearness.indexOf(Math.max(...nearness))).toBe(1);
});

test('one request, and one part, are read as a list of one, as Gemini does', () => {
  const body = { requests: { content: { parts: { text: 'tides' } }, outputDimensionality: 2 } };
  const request = geminiEmbeddings.readRequest(body, { model: 'gemini-embedding-001' });
  expect(request).toMatchObject({ messages: [{ text: 'tides' }], faults: [] });
  const answer = geminiEmbeddings.printAnswer({ body, request, tokens: 1 });
  expect(answer).toMatchObject({ embeddings: [{ values: embedText('tides', 2) }] });
});
