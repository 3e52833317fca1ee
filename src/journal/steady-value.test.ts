import { describe, expect, test } from 'vitest';
import { idsIn, steadyText } from './steady-value.ts';

const noon = new Date('2026-11-16T12:17:56Z');
const later = new Date('2027-07-10T05:08:09Z');

describe('a time is the same at any time', () => {
  test.each<[string, (at: Date) => string]>([
    ['ISO 8601', (at) => at.toISOString()],
    ['a day', (at) => at.toISOString().slice(0, 10)],
    ['a day in the name of a file', (at) => `report_${at.toISOString().slice(0, 10)}.pdf`],
    ['HTTP and mail', (at) => at.toUTCString()],
    ['JavaScript', (at) => at.toString()],
    ['JavaScript, for people', (at) => at.toLocaleString('en-US')],
    ['in words', (at) => at.toLocaleDateString('en-US', { dateStyle: 'full' })],
    ['in words, with the time', (at) => at.toLocaleString('en-US', { dateStyle: 'full', timeStyle: 'long' })],
    ['short words', (at) => at.toLocaleDateString('en-US', { dateStyle: 'medium' })],
    ['the day first', (at) => at.toLocaleDateString('en-GB', { dateStyle: 'long' })],
    ['the day first, with slashes', (at) => at.toLocaleString('en-GB')],
    ['the day first, with dots', (at) => at.toLocaleDateString('de-DE', { dateStyle: 'medium' })],
    ['the time of day', (at) => at.toISOString().slice(11, 19)],
    ['the time of day, without seconds', (at) => `now ${at.toISOString().slice(11, 16)}.`],
    ['before and after noon', (at) => at.toLocaleTimeString('en-US', { timeStyle: 'short' })],
    [
      'the command date',
      (at) => (at === noon ? 'Mon Nov 16 12:17:56 UTC 2026' : 'Sat Jul  7 05:08:09 CEST 2027'),
    ],
  ])('%s', (_, write) => {
    expect(write(noon)).not.toBe(write(later));
    expect(steadyText(write(noon))).toMatch(/^(?:report_|now )?‹date›(?:\.pdf|\.)?$/);
    expect(steadyText(write(later))).toBe(steadyText(write(noon)));
  });
});

test.each([
  'a[10:20]',
  'src/a.ts:10:20',
  'May 3 men',
  '12:3',
  '1.2.3',
  '10/20/30',
  '02:42:ac:11:00:02',
  '16 GET',
])('no time: %s', (text) => expect(steadyText(text)).toBe(text));

test('folders of environments and names of runs differ in every run', () => {
  const [one, other] = [
    ['shakedown-u4npkgtt', '20261117-002642-acze'],
    ['shakedown-dru9vj9k', '20261118-101112-kmt3'],
  ].map(([folder, run]) => `You work in /tmp/${folder}/agent/dir, run ${run}, shakedown-examples.`);
  expect(steadyText(one as string)).toBe('You work in /tmp/‹id›/agent/dir, run ‹id›, shakedown-examples.');
  expect(steadyText(other as string)).toBe(steadyText(one as string));
  expect(idsIn(one)).toEqual(['shakedown-u4npkgtt', '20261117-002642-acze']);
});

test('what is next to a time is not part of it', () => {
  expect(steadyText('at 10:30 (Berlin office) POST 2026-11-16 GET')).toBe(
    'at ‹date› (Berlin office) POST ‹date› GET',
  );
});

test.each([
  'DE89370400440532013000',
  'de89370400440532013000',
  '+4915112345678',
  'D4a1c2F3b4E5d6A7c8B9e0F1a2C3d4E5f6A7b8C9',
  'ORDER DEB20260115000123',
])('no id: %s', (text) => {
  expect(steadyText(text)).toBe(text);
  expect(idsIn([text])).toEqual([]);
});

test('digits after a plus are those of a telephone only where nothing precedes it: in a form it is a space', () => {
  expect(steadyText('note=order+173175120012345&to=+4915112345678')).toBe(
    'note=order+‹id›&to=+4915112345678',
  );
  expect(idsIn('note=order+173175120012345')).toEqual(['173175120012345']);
});

test('an id may have a prefix', () => {
  const uuid = '01a1e4ef-0b2c-7a3d-a111-0123456789ab';
  expect(steadyText(`msg_${uuid} ${uuid} x${uuid}`)).toBe(`msg_‹id› ‹id› x01a1e4ef-0b2c-7a3d-a111-‹id›`);
  expect(idsIn({ id: `msg_${uuid}` })).toEqual([uuid]);
});

test('the digits of a fraction are not an id', () => {
  for (const text of ['{"total": 10.333333333333334}', '0.123456789012345'])
    expect(steadyText(text)).toBe(text);
  expect(steadyText('order 123456789012.')).toBe('order ‹id›.');
});
