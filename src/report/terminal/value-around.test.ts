import { expect, test } from 'vitest';
import { valueAround } from './value-around.ts';

const draw = (value: unknown, path: string, columns = 60): string =>
  valueAround(value, path, columns)
    .map(({ text, marked }) => `${marked ? '>' : ' '} ${text}`)
    .join('\n');

const rows = Array.from({ length: 30 }, (_, id) => ({
  id,
  name: `row ${id}`,
  tags: ['a', 'b'],
  note: 'x'.repeat(80),
}));

test('what fits on one line needs no more', () => {
  expect(draw({ a: [1, null, 'x'], 'odd key': {} }, '$.a')).toBe('  { a: [1, null, "x"], "odd key": {} }');
});

test('deep in a long list: neighbours on one line each, the rest counted', () => {
  expect(draw(rows, '$[17].name')).toMatchInlineSnapshot(`
    "  [
        … 14 more
        { id: 14, name: "row 14", tags: ["a", "b"], note: "xxxxxx…
        { id: 15, name: "row 15", tags: ["a", "b"], note: "xxxxxx…
        { id: 16, name: "row 16", tags: ["a", "b"], note: "xxxxxx…
        {
          id: 17
    >     name: "row 17"
          tags: ["a", "b"]
          note: "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx…
        }
        { id: 18, name: "row 18", tags: ["a", "b"], note: "xxxxxx…
        { id: 19, name: "row 19", tags: ["a", "b"], note: "xxxxxx…
        { id: 20, name: "row 20", tags: ["a", "b"], note: "xxxxxx…
        … 9 more
      ]"
  `);
});

test('a missing key is marked where it belongs', () => {
  expect(
    draw({ answer: { status: 200, body: 'y'.repeat(80) } }, '$.answer.json.outcome'),
  ).toMatchInlineSnapshot(`
    "  {
    >   answer: {
          status: 200
          body: "yyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyyy…
        }
      }"
  `);
});

test('the whole value is the place', () => {
  expect(draw(rows.slice(0, 10), '$')).toMatchInlineSnapshot(`
    "  [
        { id: 0, name: "row 0", tags: ["a", "b"], note: "xxxxxxxx…
        { id: 1, name: "row 1", tags: ["a", "b"], note: "xxxxxxxx…
        { id: 2, name: "row 2", tags: ["a", "b"], note: "xxxxxxxx…
        { id: 3, name: "row 3", tags: ["a", "b"], note: "xxxxxxxx…
        { id: 4, name: "row 4", tags: ["a", "b"], note: "xxxxxxxx…
        { id: 5, name: "row 5", tags: ["a", "b"], note: "xxxxxxxx…
        { id: 6, name: "row 6", tags: ["a", "b"], note: "xxxxxxxx…
        { id: 7, name: "row 7", tags: ["a", "b"], note: "xxxxxxxx…
        … 2 more
      ]"
  `);
});

test('very deep values are omitted', () => {
  const deep = JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`);
  expect(draw(deep, '$')).toBe('  [[[[[[[…]]]]]]]');
});

test('odd paths do no harm', () => {
  for (const path of ['', '$', '$[', '$["a\\', '$..', '$["note"]', 'a.b', '$[99]'])
    expect(draw(rows[0], path)).toContain('name: "row 0"');
});

test('a list of a hundred thousand costs no more lines than a short one', () => {
  const long = Array.from({ length: 100_000 }, (_, index) => `value number ${index}`);
  expect(valueAround(long, '$[50000]', 60)).toHaveLength(11);
});
