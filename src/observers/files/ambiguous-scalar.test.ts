import { expect, test } from 'vitest';
import { whyAmbiguous } from './ambiguous-scalar.ts';

test.each([
  ['yes', 'true in YAML 1.1 and a text in YAML 1.2'],
  ['On', 'true in YAML 1.1 and a text in YAML 1.2'],
  ['n', 'false in YAML 1.1 and a text in YAML 1.2'],
  ['OFF', 'false in YAML 1.1 and a text in YAML 1.2'],
  ['12:30:45', 'a number of base 60 in YAML 1.1 and a text in YAML 1.2'],
  ['1:30.5', 'a number of base 60 in YAML 1.1 and a text in YAML 1.2'],
  ['0644', '420 in YAML 1.1 and 644 in YAML 1.2'],
  ['-010', '-8 in YAML 1.1 and -10 in YAML 1.2'],
  ['089', 'a text in YAML 1.1 and 89 in YAML 1.2'],
  ['0o17', 'a text in YAML 1.1 and 15 in YAML 1.2'],
  ['0b101', 'a number in YAML 1.1 and a text in YAML 1.2'],
  ['-0x1F', 'a number in YAML 1.1 and a text in YAML 1.2'],
  ['1_000', 'a number in YAML 1.1 and a text in YAML 1.2'],
  ['1_000.5', 'a number in YAML 1.1 and a text in YAML 1.2'],
  ['=', 'a sign of its own in YAML 1.1 and a text in YAML 1.2'],
])('%s is %s', (written, readings) => {
  expect(whyAmbiguous(written)).toBe(`\`${written}\` without quotes is ${readings}`);
});

test.each([
  ...['true', 'False', 'null', '~', '', 'yep', 'nope', 'oN', 'yES', 'one', 'no way', 'on!'],
  ...['0', '00', '007', '12', '-3', '+4', '0x1F', '1.5', '.5', '1e3', '1.5e+3', '.inf', '.nan'],
  ...[
    '2026-01-01',
    '2026-01-01T10:00:00Z',
    '08:30',
    '8080:80',
    '1.2.3',
    '::1',
    '0xg',
    '_1',
    '1-2',
    'a_b',
    '10:99',
  ],
])('%s is the same for both', (written) => {
  expect(whyAmbiguous(written)).toBeUndefined();
});
