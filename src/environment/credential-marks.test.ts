import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectFolder } from '../../test/harness/config-project.ts';
import { redactEvent } from '../journal/redact-event.ts';
import { createRedactor } from '../journal/redaction.ts';
import { credentialMarker, makeMarkKey } from './credential-marks.ts';

test('equal credentials have equal marks as long as the key is there, and others others', async () => {
  const folder = await projectFolder({});
  expect(credentialMarker(folder)).toBeUndefined();
  makeMarkKey(folder);
  const mark = credentialMarker(folder);
  makeMarkKey(folder);
  const again = credentialMarker(folder);
  expect(mark?.('Bearer one')).toMatch(/^[a-z]{8}$/);
  expect(again?.('Bearer one')).toBe(mark?.('Bearer one'));
  expect(mark?.('Bearer two')).not.toBe(mark?.('Bearer one'));
  const file = path.join(folder, '.shakedown/cache/credentials.key');
  writeFileSync(file, readFileSync(file).subarray(1));
  expect(credentialMarker(folder)).toBeUndefined();
});

test('a header of which only the scheme is kept has its mark beside it, once', () => {
  const call = { type: 'call', request: { headers: { authorization: 'Bearer key-1', accept: '*/*' } } };
  const redactor = { ...createRedactor({}), markOf: (value: string) => `mark of ${value.length}` };
  const clean = redactEvent(call, redactor);
  expect(clean).toEqual({
    ...call,
    request: {
      headers: { authorization: 'Bearer …', accept: '*/*' },
      credentials: { authorization: 'mark of 12' },
    },
  });
  expect(redactEvent(clean, createRedactor({}))).toEqual(clean);
});
