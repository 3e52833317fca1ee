import { describe, expect, test } from 'vitest';
import { openAiChatDialect } from '../openai-chat/chat-dialect.ts';
import type { FoldedTurn } from '../turn/turn.ts';
import { createAnswerFold } from './answer-fold.ts';

interface Sent {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly how?: 'end' | 'cut';
  readonly streamAsked?: boolean;
}

function fold(text: string, sent: Sent, cuts: readonly number[] = []): FoldedTurn {
  const { status = 200, headers = {}, how = 'end', streamAsked } = sent;
  const asked = streamAsked === undefined ? {} : { streamAsked };
  const answer = createAnswerFold({ dialect: openAiChatDialect, status, headers, ...asked });
  const bytes = Buffer.from(text);
  const bounds = [0, ...cuts, bytes.length];
  for (const [at, from] of bounds.slice(0, -1).entries()) answer.push(bytes.subarray(from, bounds[at + 1]));
  return answer.end(how);
}

const chunk = (delta: unknown, finish: unknown = null): string =>
  `data: ${JSON.stringify({ choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const stream = `${chunk({ content: 'Voilà' })}${chunk({}, 'stop')}data: [DONE]\n\n`;
const body = JSON.stringify({
  choices: [{ index: 0, message: { content: 'Voilà' }, finish_reason: 'stop' }],
});
const events = { 'content-type': 'text/event-stream' };
const json = { 'content-type': 'application/json' };
const notes = ({ oddities }: FoldedTurn): string[] => oddities.map(({ rule }) => rule);

describe('the form is what the bytes say', () => {
  test.each<[string, string, Readonly<Record<string, string>>, boolean, string[]]>([
    ['a stream', stream, events, true, []],
    ['a stream with a charset', stream, { 'content-type': 'Text/Event-Stream; charset=utf-8' }, true, []],
    ['a stream that is called JSON', stream, json, true, ['http.content-type']],
    ['a stream without a type', `\n: x\n\n${stream}`, {}, true, ['http.content-type']],
    ['a stream behind a byte order mark', `\ufeff${stream}`, json, true, ['http.content-type']],
    ['a body', body, json, false, []],
    ['a body behind blanks', ` \n${body}`, json, false, []],
    ['a body that is called a stream', body, events, false, ['http.content-type']],
  ])('%s, cut anywhere', (_, text, headers, streamed, oddities) => {
    const whole = fold(text, { headers });
    expect([whole.complete, whole.streamed, notes(whole)]).toEqual([true, streamed, oddities]);
    expect(whole.parts).toEqual([{ kind: 'text', text: 'Voilà' }]);
    const size = Buffer.byteLength(text);
    for (let at = 0; at <= size; at += 1)
      expect(fold(text, { headers }, [at]), `cut at ${at}`).toEqual(whole);
    const single = Array.from({ length: size - 1 }, (__, at) => at + 1);
    expect(fold(text, { headers }, single)).toEqual(whole);
  });

  test('the other form than asked for is noted', () => {
    expect(notes(fold(body, { headers: json, streamAsked: true }))).toEqual(['http.body-for-stream']);
    expect(notes(fold(stream, { headers: events, streamAsked: false }))).toEqual(['http.stream-for-body']);
    expect(notes(fold(stream, { headers: events, streamAsked: true }))).toEqual([]);
  });
});

describe('never whole', () => {
  test.each<[string, string, Sent, string[]]>([
    ['nothing, where a stream was promised', '', { headers: events }, ['chat.empty', 'chat.no-finish']],
    ['nothing, where a body was promised', '', { headers: json }, ['http.not-json']],
    ['blanks', '\n'.repeat(3_000), { headers: json }, ['http.not-json']],
    ['a body that broke off', body, { headers: json, how: 'cut' }, ['http.cut']],
    [
      'a page',
      '<!DOCTYPE html><html></html>',
      { headers: { 'content-type': 'text/html' } },
      ['http.not-json'],
    ],
    ['a page called a stream', '<html></html>', { headers: events }, ['http.not-json']],
    ['a body with an end mark', `${body}data: [DONE]\n\n`, { headers: json }, ['http.glued']],
    ['a stream with a status that refuses', stream, { headers: events, status: 500 }, []],
    ['a body behind a redirect', body, { headers: json, status: 302 }, []],
  ])('%s', (_, text, sent, rules) => {
    const folded = fold(text, sent);
    expect(folded.complete).toBe(false);
    expect(folded.faults.map(({ rule }) => rule)).toEqual(rules);
    if (rules.length === 0) expect(folded.error?.type).toBe(`http_${sent.status}`);
  });

  test('what was not decoded, which is not a fault of the sender', () => {
    const folded = fold('\u001f\u008b', { headers: { ...events, 'content-encoding': 'gzip' } });
    expect([folded.complete, folded.faults, notes(folded)]).toEqual([false, [], ['http.encoded']]);
  });

  test('a page is reported by its beginning', () => {
    const page = `<html>${'x'.repeat(100_000)}`;
    const folded = fold(page, { headers: { 'content-type': 'text/html' }, status: 502 });
    expect(folded.error).toMatchObject({ type: 'http_502' });
    expect(JSON.stringify(folded).length).toBeLessThan(1_000);
  });
});

test('so far', () => {
  const answer = createAnswerFold({ dialect: openAiChatDialect, status: 200, headers: events });
  const seen: [boolean, number][] = [];
  for (const byte of Buffer.from(stream)) {
    answer.push(Uint8Array.of(byte));
    const { complete, faults } = answer.soFar();
    seen.push([complete, faults.length]);
  }
  expect(seen.findIndex(([complete]) => complete)).toBe(seen.length - 1);
  expect(seen.filter(([, faults]) => faults > 0)).toEqual([]);
});
