import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createRedactor, showSecrets } from '../../journal/redaction.ts';
import { systemClock } from '../../kernel/clock.ts';
import { openRecording } from './keep-recording.ts';
import { cleanHeaders, isRecordedName, shownHeaders } from './recorded-headers.ts';

const KEY = 'AK-prod-7hq2zxw9vlk4tnb6syd1rf';
const headers = { [`x-quota-${KEY.toLowerCase()}`]: '17', vary: `x-quota-${KEY}` };

test('a secret in the name of a header is a token in the recording, and put back when it is played', () => {
  const clean = cleanHeaders({ ...headers, '‹secret:KEY›': 'x' }, createRedactor({ KEY }));
  expect(clean).toEqual({
    'x-quota-‹secret:KEY:lower›': '17',
    vary: 'x-quota-‹secret:KEY›',
    '‹secret::KEY›': 'x',
  });
  expect(Object.keys(clean).every(isRecordedName)).toBe(true);
  const showing = (value: string) => {
    const show = (text: string): string => showSecrets(text, () => value);
    return shownHeaders(clean, { name: show, value: show });
  };
  expect(showing(KEY)).toEqual({ [`x-quota-${KEY.toLowerCase()}`]: '17', vary: `x-quota-${KEY}` });
  expect(showing('with blanks')).toEqual({ vary: 'x-quota-with blanks' });
});

test('what a recorder left as it came is not written with a secret in it', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'shakedown-headers-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const keep = await openRecording({
    spec: { name: 'model', cassettes: folder },
    trial: 'asks',
    context: { clock: systemClock, emit: () => undefined, systemFolder: folder, tool: 'shakedown' },
  });
  const call = {
    caller: 'agent',
    call: 1,
    request: { path: `/keys/${KEY}/chat/completions` },
    response: { headers: { ...headers, 'x-request-id': 'r1', retry: `${KEY}!` }, pieces: [] },
  };
  await keep({ calls: [call], secrets: { KEY, WORD: 'chat' }, obstacle: undefined, isWhole: true });
  const text = readFileSync(path.join(folder, 'asks.json'), 'utf8');
  const [written] = JSON.parse(text).calls;
  expect(written.request.path).toBe('/keys/‹secret:KEY›/chat/completions');
  expect(written.response.headers).toEqual({ 'x-request-id': 'r1' });
  expect(text.toLowerCase()).not.toContain(KEY.toLowerCase());
});
