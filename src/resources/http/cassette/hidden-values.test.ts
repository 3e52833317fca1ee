import { expect, test } from 'vitest';
import { createRedactor } from '../../../journal/redaction.ts';
import { bytesOf, cleanPieces } from '../../cassette/recorded-pieces.ts';
import { HiddenValues } from './hidden-values.ts';

test.each([
  '‹secret:WORDY›',
  '{"a":"‹secret:WORDY:base64›"}',
  '‹secret:',
  '‹secret::WORDY›',
  'swordfish, and not ‹secret:WORDY›',
  '‹secret:NOBODY›',
])('a third party that sends %j never gets a secret into a service', (sent) => {
  const secrets = { WORDY: 'swordfish' };
  const [piece] = cleanPieces([{ bytes: Buffer.from(sent), afterMs: 0 }], createRedactor(secrets));
  if (!piece) throw new Error('no piece');
  expect(piece.text).not.toContain('swordfish');
  const hidden = new HiddenValues(JSON.stringify(piece), secrets);
  const played = hidden.showBytes(Buffer.from(bytesOf(piece)).toString('latin1'));
  expect(Buffer.from(played, 'latin1').toString()).toBe(sent);
});
