import { describe, expect, test } from 'vitest';
import type { AttemptEvent } from '../../journal/trial-event.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { eventText } from './event-text.ts';

const long = 'x'.repeat(500);

function shortened(event: object, mostBytes = 100): unknown {
  return JSON.parse(eventText({ seq: 1, at: 0, ...event } as AttemptEvent, mostBytes));
}

describe('eventText', () => {
  test('leaves an event alone that is small enough, with all digits of its numbers', () => {
    const event = { seq: 1, at: 0, type: 'probe.sampled', value: 12345678901234567890n };
    expect(eventText(event as unknown as AttemptEvent, 4_096)).toBe(
      '{"seq":1,"at":0,"type":"probe.sampled","value":12345678901234567890}',
    );
    const cut = eventText({ ...event, other: long } as unknown as AttemptEvent, 100);
    expect(cut).toContain('"value":12345678901234567890');
    expect(parseExactJson(cut)).toMatchObject({ other: { $leftOut: { bytes: 500 } } });
  });

  test('leaves out bodies and keeps what is around them', () => {
    const response = { status: 200, headers: { a: 'b' }, json: { deep: { text: long } }, bytes: 600 };
    expect(shortened({ type: 'call', request: { text: long, bytes: 500 }, response })).toMatchObject({
      type: 'call',
      request: { text: { $leftOut: { bytes: 500, beginning: 'x'.repeat(25) } }, bytes: 500 },
      response: { status: 200, headers: { a: 'b' }, json: { $leftOut: { bytes: 520 } }, bytes: 600 },
    });
  });

  test('leaves out a list of rows as a whole, and long lines of a log one by one', () => {
    const value = Array.from({ length: 50 }, (_, id) => ({ id }));
    expect(shortened({ type: 'probe.sampled', value })).toMatchObject({
      value: { $leftOut: { beginning: '[{"id":0},{"id":1},{"id":' } },
    });
    expect(shortened({ type: 'log.tail', lines: ['short', long] })).toMatchObject({
      lines: ['short', { $leftOut: { bytes: 500 } }],
    });
  });

  test('keeps the declared trial whatever its size, and leaves out a map of very many small fields', () => {
    const many = Object.fromEntries(Array.from({ length: 500 }, (_, index) => [`key${index}`, index]));
    const event = shortened({ type: 'attempt.started', trial: { text: long }, scope: many });
    expect(event).toMatchObject({ trial: { text: long }, scope: { $leftOut: {} } });
  });

  test('cuts no character in two, and counts bytes', () => {
    const { text } = shortened({ type: 'log.error', text: '😀'.repeat(50) }, 101) as {
      text: { $leftOut: { bytes: number; beginning: string } };
    };
    expect(text.$leftOut.bytes).toBe(200);
    expect(text.$leftOut.beginning.isWellFormed()).toBe(true);
  });
});
