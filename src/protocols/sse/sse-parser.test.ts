import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { cpuMs } from '../../../test/harness/cpu-time.ts';
import { createSseParser, type SseEvent } from './sse-parser.ts';

const parse = (...chunks: (string | Uint8Array)[]): SseEvent[] => {
  const parser = createSseParser();
  return chunks.flatMap((chunk) => parser.push(chunk));
};

describe('as the standard reads it', () => {
  test.each<[string, string, SseEvent[]]>([
    ['one line', 'data: hello\n\n', [{ data: 'hello' }]],
    ['several lines of data', 'data: a\ndata: b\ndata\n\n', [{ data: 'a\nb\n' }]],
    ['only the first space goes', 'data:  a \n\n', [{ data: ' a ' }]],
    ['no space at all', 'data:a\n\n', [{ data: 'a' }]],
    ['a name and an id', 'event: add\nid: 7\ndata: x\n\n', [{ event: 'add', id: '7', data: 'x' }]],
    ['an empty name is none', 'event:\ndata: x\n\n', [{ data: 'x' }]],
    ['comments carry nothing', ': keep-alive\n\n:x\ndata: a\n: y\n\n', [{ data: 'a' }]],
    ['without data there is no event', 'event: ping\nid: 1\n\ndata: a\n\n', [{ data: 'a' }]],
    ['empty data is data', 'id: 1\ndata:\n\n', [{ id: '1', data: '' }]],
    ['a colon in the value', 'data: {"a":1}\n\n', [{ data: '{"a":1}' }]],
    ['an unknown field', 'date: x\nData: y\ndata: a\n\n', [{ data: 'a' }]],
    [
      'retry is digits',
      'retry: 250\ndata: a\n\nretry: 2s\ndata: b\n\n',
      [{ retry: 250, data: 'a' }, { data: 'b' }],
    ],
    ['an id with a NUL is ignored', 'id: a\0b\ndata: x\n\n', [{ data: 'x' }]],
    ['CR', 'data: a\r\rdata: b\r\r', [{ data: 'a' }, { data: 'b' }]],
    ['CRLF', 'data: a\r\n\r\ndata: b\r\n\r\n', [{ data: 'a' }, { data: 'b' }]],
    ['all line endings mixed', 'data: a\r\ndata: b\rdata: c\n\r\n', [{ data: 'a\nb\nc' }]],
    ['a byte order mark at the start', '\ufeffdata: a\n\n', [{ data: 'a' }]],
    ['one elsewhere is text', 'data: \ufeffa\n\n\ufeffdata: b\n\n', [{ data: '\ufeffa' }]],
    ['an event without its blank line is none', 'data: a\n\ndata: b\n', [{ data: 'a' }]],
  ])('%s', (_, text, events) => {
    expect(parse(text)).toEqual(events);
    expect(parse(Buffer.from(text))).toEqual(events);
  });

  test('bytes that are not UTF-8 are marked, and what was written as U+FFFD is not', () => {
    expect(parse(Buffer.from('646174613a20ff610a0a', 'hex'))).toEqual([{ data: '‹no-utf8›a' }]);
    expect(parse(Buffer.from('data: \ufffd\n\n'))).toEqual([{ data: '\ufffd' }]);
  });

  test('the newest id is remembered, of events without data too', () => {
    const parser = createSseParser();
    parser.push('id: 1\ndata: a\n\nid: 2\n\n');
    expect(parser.lastEventId).toBe('2');
    parser.push('data: b\n\n');
    expect(parser.lastEventId).toBe('2');
  });

  test('it is known whether an event was left unfinished', () => {
    const parser = createSseParser();
    const states = ['data: a\n', '\n', ': comment\n', 'da'].map((text) => {
      parser.push(text);
      return parser.unfinished;
    });
    expect(states).toEqual([true, false, false, true]);
  });
});

describe('limits', () => {
  test('a long line is cut, and says so; the next event is whole', () => {
    const parser = createSseParser({ maxEventChars: 20 });
    expect(parser.push(`data: ${'x'.repeat(49)}y\n\ndata: b\n\n`)).toEqual([
      { data: 'x'.repeat(14), truncated: true, tail: expect.stringMatching(/xy$/) },
      { data: 'b' },
    ]);
  });

  test('many lines are cut, too', () => {
    const parser = createSseParser({ maxEventChars: 10 });
    expect(parser.push(`${'data: xxx\n'.repeat(1_000)}\n`)).toEqual([
      { data: 'xxx\nxxx\nxx', truncated: true },
    ]);
  });

  test('a megabyte that comes character by character is parsed in time', () => {
    const parser = createSseParser();
    const text = `data: ${'à'.repeat(500_000)}\n\n`;
    const events: SseEvent[] = [];
    const push = () => {
      for (const byte of Buffer.from(text)) events.push(...parser.push(Uint8Array.of(byte)));
    };
    expect(cpuMs(push)).toBeLessThan(10_000);
    expect(events).toEqual([{ data: 'à'.repeat(500_000) }]);
  });
});

const streamText = fc
  .array(
    fc.oneof(
      fc.constantFrom(
        'data: ',
        'data:',
        'event: ',
        'id: ',
        'retry: ',
        ': ',
        '\n',
        '\r',
        '\r\n',
        '\n\n',
        '\ufeff',
        'à👍',
      ),
      fc.string({ unit: 'grapheme', maxLength: 6 }),
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''));

test('any cutting of the bytes gives the same events', () => {
  fc.assert(
    fc.property(streamText, fc.array(fc.nat(), { maxLength: 8 }), (text, cuts) => {
      const bytes = Buffer.from(text);
      const whole = parse(bytes);
      expect(parse(...pieces(bytes, cuts))).toEqual(whole);
      expect(parse(...[...bytes].map((byte) => Uint8Array.of(byte)))).toEqual(whole);
      expect(parse(...text)).toEqual(parse(Buffer.from(text)));
    }),
    { numRuns: 500 },
  );
});

test('what was printed is parsed, whatever the line ending', () => {
  const event = fc.record(
    {
      event: fc.stringMatching(/^[a-z/]{1,10}$/),
      id: fc.stringMatching(/^[a-z0-9]{0,5}$/),
      data: fc
        .array(fc.string({ unit: 'binary' }).map(oneLine), { minLength: 1 })
        .map((lines) => lines.join('\n')),
    },
    { requiredKeys: ['data'] },
  );
  fc.assert(
    fc.property(fc.array(event), fc.constantFrom('\n', '\r', '\r\n'), (events, ending) => {
      expect(parse(events.map((one) => print(one, ending)).join(''))).toEqual(events);
    }),
  );
});

function oneLine(text: string): string {
  return text.replaceAll(/[\r\n]/g, '').toWellFormed();
}

function print({ event, id, data }: SseEvent, ending: string): string {
  const lines = [
    ...(event === undefined ? [] : [`event: ${event}`]),
    ...(id === undefined ? [] : [`id: ${id}`]),
    ...data.split('\n').map((line) => `data: ${line}`),
    '',
    '',
  ];
  return lines.join(ending);
}

function pieces(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const places = [0, ...cuts.map((cut) => cut % (bytes.length + 1)), bytes.length].sort((a, b) => a - b);
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}
