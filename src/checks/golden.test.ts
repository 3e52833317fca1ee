import { describe, expect, test } from 'vitest';
import { canonicalText, judgeGolden } from './golden.ts';

describe('lengths and digests of what is masked', () => {
  const answer = (tookMs: number | string, bytes: number, etag: string) => ({
    bytes,
    sha256: etag,
    headers: { 'content-length': String(bytes), etag, 'x-goog-hash': etag, server: 'x' },
    json: { tookMs },
  });
  const holds = (accepted: unknown, seen: unknown): boolean =>
    judgeGolden({ file: 'x', accepted: { response: accepted } }, { response: seen }).held;

  test('are masked, too', () => {
    expect(JSON.parse(canonicalText(answer(7, 26, 'a')))).toEqual({
      bytes: '‹bytes›',
      sha256: '‹sha256›',
      headers: {
        'content-length': '‹content-length›',
        etag: '‹etag›',
        'x-goog-hash': '‹x-goog-hash›',
        server: 'x',
      },
      json: { tookMs: '‹tookMs›' },
    });
    expect(holds(JSON.parse(canonicalText(answer(7, 26, 'a'))), answer(12, 27, 'b'))).toBe(true);
    const printed = (text: string) => ({ stdout: text, stdoutBytes: text.length });
    expect(holds(printed('at 2026-01-01T00:00:00Z'), printed('at 2026-01-01T00:00:00.1Z'))).toBe(true);
  });

  test('do not contradict an output that was accepted with them', () => {
    expect(holds(answer('‹tookMs›', 26, 'a'), answer(12, 27, 'b'))).toBe(true);
    expect(holds({ ...answer('‹tookMs›', 26, 'a'), status: 200 }, answer(12, 27, 'b'))).toBe(false);
  });

  test('are compared if none of their content is masked, or a part of it is not shown', () => {
    const plain = (bytes: number) => ({ bytes, json: { a: 1 }, request: { bytes: 0, text: '‹uid#1›' } });
    expect(holds(plain(7), plain(7))).toBe(true);
    expect(holds(plain(7), plain(8))).toBe(false);
    const long = (sha256: string) => ({ text: '‹uid#1›', sha256, bytes: 9, truncated: true });
    expect(holds(long('a'), long('b'))).toBe(false);
  });
});

describe('numbers', () => {
  test('that are measured are masked', () => {
    const measured = { tookMs: 7, took_ms: 7, pid: 12, workerPid: 12, worker_pid: 12, ppid: 1 };
    const moments = {
      at: 1,
      startedAt: 362.764,
      savedAt: 1_763_300_000,
      saved_at: 1763300000.25,
      paidAt: 1_763_300_000_000,
      date: 1_763_300_000,
    };
    const { at, ...masked } = JSON.parse(canonicalText({ ...measured, ...moments }));
    expect(at).toBe(1);
    expect(Object.entries(masked).filter(([key, value]) => value !== `‹${key}›`)).toEqual([]);
  });

  test('that are a value of the business are kept', () => {
    const values = {
      duration: 30,
      rapid: 12,
      cupid: 3,
      stupid: 1,
      chargedAt: 10.5,
      lookedAt: 3,
      repeat_at: 250,
      date: 17,
    };
    expect(JSON.parse(canonicalText(values))).toEqual(values);
  });
});

describe('what is recognized as an id that differs from run to run', () => {
  test.each([
    'DE89370400440532013000',
    'de89370400440532013000',
    'BE68539007547034',
    'AE070331234567890123456',
    'DEB20260115000123',
    '20260115000123ABCD',
    'abc0000000000000017',
    '00000000000000a1',
    '00000000-0000-0000-0000-000000000017',
    '4111111111111111',
    'deadbeefdeadbeef',
    'D4a1c2F3b4E5d6A7c8B9e0F1a2C3d4E5f6A7b8C9',
    '#ff00aa',
    '8c1a2f0b',
    'B-AC 1234',
    '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'V1StGXR8_Z5jdHi6B-myT',
    'SKU-00112233445566AB',
    '2026-01-15',
  ])('not %s', (given) => {
    expect(canonicalText({ given })).toContain(given);
    expect(canonicalText({ given: `to ${given}.` })).toContain(given);
  });

  test.each([
    'f47ac10b-58cc-4372-a567-0e02b2c3d479',
    'F47AC10B-58CC-4372-A567-0E02B2C3D479',
    '4bf92f3577b34da6a3ce929d0e0e4736',
    '00f067aa0ba902b7',
    '0000000000000000a1b2c3d4e5f60718',
    'de02120300123457',
    '65a4f1c2e4b0a1b2c3d4e5f6',
    '9FB1C0D25E8A4471B3A7D04C1E6F2A88',
    'e83c5163316f89bfbde7d9ab23ca2e25604af290',
  ])('%s', (drawn) => {
    expect(JSON.parse(canonicalText({ drawn: `to ${drawn}.` }))).toEqual({ drawn: 'to ‹id#1›.' });
  });
});
