/** Definitions as PostgreSQL 13 to 18 print them. */
import { expect, test } from 'vitest';
import { readConstraint } from './read-constraint.ts';

test.each<[definition: string, object]>([
  ['CHECK ((x >= 0))', { least: 0 }],
  ['CHECK (((x >= 1) AND (x <= 9)))', { least: 1, most: 9 }],
  ['CHECK ((x > (0)::numeric))', { above: 0 }],
  ["CHECK ((x < '-5'::integer))", { below: -5 }],
  ['CHECK ((x < (-5)))', { below: -5 }],
  ["CHECK ((x = ANY (ARRAY['deck'::text, 'lounge'::text])))", { values: ['deck', 'lounge'] }],
  [
    "CHECK (((x)::text = ANY ((ARRAY['a'::character varying, 'it''s, (b)'::character varying])::text[])))",
    { values: ['a', "it's, (b)"] },
  ],
  ["CHECK ((x = ANY (ARRAY['on'::office.state, 'off'::office.state])))", { values: ['on', 'off'] }],
  ['CHECK ((x = ANY (ARRAY[1, 2, 3])))', { values: [1, 2, 3] }],
  ["CHECK (((x = 'a'::text) OR (x = 'b'::text)))", { values: ['a', 'b'] }],
  ["CHECK (((x IS NULL) OR (x = ANY (ARRAY['a'::text]))))", { values: ['a'] }],
  ['CHECK ((x IS NOT NULL))', { always: true }],
  ["CHECK ((x <> ''::text))", { leastChars: 1 }],
  ['CHECK (((char_length(x) > 0) AND (length((x)::text) <= 80)))', { leastChars: 1, mostChars: 80 }],
  ['CHECK ((x >= 0)) NO INHERIT', { least: 0 }],
  ['CHECK ((VALUE >= 1))', { least: 1 }],
  // What is not understood allows anything.
  ['CHECK (((x >= 0) OR (length(x) > 3)))', {}],
  ['CHECK (((x >= 0) OR (x IS NULL)))', { least: 0 }],
  ['CHECK ((NOT (x < 0)))', {}],
  ['CHECK (((x + 1) >= 0))', {}],
  ['CHECK ((abs(x) <= 5))', {}],
  ['CHECK ((y >= 0))', {}],
  ["CHECK ((x ~ '^[a-z]+$'::text))", {}],
  ["CHECK ((x = ANY (ARRAY[lower('A'::text), 'b'::text])))", {}],
  ["CHECK ((x <> 'void'::text))", {}],
  ["CHECK ((x = E'a\\\\b'::text))", {}],
  ['CHECK (((x % 2) = 0))', {}],
])('%s', (definition, bounds) => {
  expect(readConstraint(definition, 'x')).toEqual(bounds);
});

test('a column whose name needs quotes', () => {
  expect(readConstraint('CHECK (("Max Seats" >= 1))', 'Max Seats')).toEqual({ least: 1 });
});
