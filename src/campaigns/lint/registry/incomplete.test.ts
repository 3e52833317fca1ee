import { expect, test } from 'vitest';
import { isMissing } from './entry-rules.ts';

test.each([undefined, null, '', '  ', 'TBD', 'tbd.', 'T.B.D.', 'to do', 'n/a', '?', '---', '…', 'xxx'])(
  '%j has no content',
  (text) => {
    expect(isMissing(text)).toBe(true);
  },
);

test.each(['team a', 'None of it is shown.', 'to do with frames'])('%j says something', (text) => {
  expect(isMissing(text)).toBe(false);
});
