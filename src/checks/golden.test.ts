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

  test('do not speak against what was accepted with them', () => {
    expect(holds(answer('‹tookMs›', 26, 'a'), answer(12, 27, 'b'))).toBe(true);
    expect(holds({ ...answer('‹tookMs›', 26, 'a'), status: 200 }, answer(12, 27, 'b'))).toBe(false);
  });

  test('are held where nothing of their own contents is masked, or a part of these is not seen', () => {
    const plain = (bytes: number) => ({ bytes, json: { a: 1 }, request: { bytes: 0, text: '‹uid#1›' } });
    expect(holds(plain(7), plain(7))).toBe(true);
    expect(holds(plain(7), plain(8))).toBe(false);
    const long = (sha256: string) => ({ text: '‹uid#1›', sha256, bytes: 9, truncated: true });
    expect(holds(long('a'), long('b'))).toBe(false);
  });
});
