/** Places in the report, as fragments of its address. */
import { expect, test } from 'vitest';
import { type Place, readPlace, writePlace } from './place.ts';

test.each<Place>([
  {},
  { trial: 'daemon/junk[not-hex]' },
  { trial: `a/"b" 100% <c>/ü?#&`, check: 'step one/two', event: 12 },
  { trial: 'a', event: -3, view: 'compare' },
  { trial: 'a', event: 0, view: 'conversation' },
])('%j is read as it was written', (place) => {
  expect(readPlace(writePlace(place))).toEqual(place);
});

test('a fragment that was typed by hand is read as far as it goes', () => {
  expect(readPlace('#100%/check/first?nowhere')).toEqual({ trial: '100%', check: 'check' });
  expect(readPlace('')).toEqual({});
});
