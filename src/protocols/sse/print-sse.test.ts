import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { printSse, printSseComment, type SsePrinted, type SseStyle } from './print-sse.ts';
import { createSseParser, type SseEvent } from './sse-parser.ts';

describe('what is printed', () => {
  test.each<[string, SsePrinted, SseStyle, string]>([
    ['the plain form', { data: '{"a":1}' }, {}, 'data: {"a":1}\n\n'],
    ['a name', { event: 'ping', data: '' }, {}, 'event: ping\ndata: \n\n'],
    [
      'all fields',
      { event: 'e', id: '7', retry: 20, data: 'x' },
      {},
      'event: e\nid: 7\nretry: 20\ndata: x\n\n',
    ],
    ['CRLF', { event: 'e', data: 'x' }, { lineEnd: '\r\n' }, 'event: e\r\ndata: x\r\n\r\n'],
    ['bare CR', { data: 'x' }, { lineEnd: '\r' }, 'data: x\r\r'],
    ['no space', { data: 'x' }, { space: '' }, 'data:x\n\n'],
    ['a line of data each', { data: 'a\nb\r\nc' }, {}, 'data: a\ndata: b\ndata: c\n\n'],
  ])('%s', (_, event, style, text) => {
    expect(printSse(event, style)).toBe(text);
  });

  test('comments', () => {
    expect(printSseComment('')).toBe(':\n');
    expect(printSseComment('OPENROUTER PROCESSING')).toBe(': OPENROUTER PROCESSING\n');
    expect(printSseComment('x', { space: '', lineEnd: '\r' })).toBe(':x\r');
  });
});

const printed = fc.record(
  {
    event: fc.stringMatching(/^[a-z._]{1,12}$/),
    id: fc.stringMatching(/^[a-z0-9]{0,5}$/),
    retry: fc.nat(),
    data: fc
      .array(fc.stringMatching(/^[^\r\n ][^\r\n]*$/u), { minLength: 1 })
      .map((lines) => lines.join('\n')),
  },
  { requiredKeys: ['data'] },
);
const style = fc.record({
  lineEnd: fc.constantFrom<'\n' | '\r\n' | '\r'>('\n', '\r\n', '\r'),
  space: fc.constantFrom<'' | ' '>('', ' '),
});

test('what was printed is parsed, in every style and with comments between', () => {
  fc.assert(
    fc.property(fc.array(printed), style, fc.constantFrom('', 'keepalive'), (events, how, comment) => {
      const parser = createSseParser();
      const text = events.map((event) => printSseComment(comment, how) + printSse(event, how)).join('');
      const wellFormed = events.map((event) => ({ ...event, data: event.data.toWellFormed() }));
      expect(parser.push(Buffer.from(text))).toEqual(wellFormed);
    }),
  );
});

describe('a last event without its blank line', () => {
  const read = (text: string, lastEvent: 'accept' | 'drop'): (SseEvent | undefined)[] => {
    const parser = createSseParser({ lastEvent });
    return [...parser.push(Buffer.from(text)), parser.end()];
  };

  test.each([
    'data: a\n\nevent: e\ndata: b',
    'data: a\n\nevent: e\ndata: b\n',
    'data: a\r\revent: e\rdata: b\r',
  ])('%j is taken, or dropped as the standard does', (text) => {
    expect(read(text, 'accept')).toEqual([{ data: 'a' }, { event: 'e', data: 'b' }]);
    expect(read(text, 'drop')).toEqual([{ data: 'a' }, undefined]);
  });

  test('there is none after a whole event, a comment or a name alone', () => {
    for (const text of ['data: a\n\n', 'data: a\n\n: x', 'data: a\n\nevent: e\n']) {
      expect(read(text, 'accept')).toEqual([{ data: 'a' }, undefined]);
    }
  });
});
