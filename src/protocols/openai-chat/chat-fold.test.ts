import { describe, expect, test } from 'vitest';
import type { FoldedTurn } from '../turn/turn.ts';
import { openAiChatDialect } from './chat-dialect.ts';

const done = '[DONE]';

function fold(events: readonly unknown[], how: 'end' | 'cut' = 'end'): FoldedTurn {
  const stream = openAiChatDialect.createFold();
  for (const event of events)
    stream.push({ data: typeof event === 'string' ? event : JSON.stringify(event) });
  return stream.end(how);
}

const delta = (part: unknown, finish: unknown = null): unknown => ({
  choices: [{ index: 0, delta: part, finish_reason: finish }],
});
const call = (...calls: unknown[]): unknown => delta({ tool_calls: calls });
const stop = (word: unknown = 'stop'): unknown => delta({}, word);
const head = (index: number, id: string, name: string): unknown => ({
  index,
  id,
  function: { name, arguments: '' },
});
const more = (index: number, text: string): unknown => ({ index, function: { arguments: text } });
const notes = ({ faults, oddities }: FoldedTurn): string[] =>
  [...faults, ...oddities].map(({ rule, shape }) => `${rule}${shape === undefined ? '' : ` ${shape}`}`);
const calls = ({ parts }: FoldedTurn): unknown[] => parts.filter(({ kind }) => kind === 'call');

test('a whole turn: reasoning, text and calls in one order, whatever the order on the wire', () => {
  const folded = fold([
    { id: 'c1', model: 'm', ...(delta({ role: 'assistant', content: '' }) as object) },
    call(head(0, 'a', 'read'), more(0, '{"path"')),
    delta({ content: 'Let me ' }),
    call(more(0, ':"/x"}')),
    delta({ reasoning_content: 'Hm.' }),
    delta({ content: 'look.' }),
    stop('tool_calls'),
    {
      choices: [],
      usage: { prompt_tokens: 3, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 2 } },
    },
    done,
  ]);
  expect(folded).toEqual({
    dialect: 'openai-chat',
    streamed: true,
    complete: true,
    id: 'c1',
    model: 'm',
    parts: [
      { kind: 'reasoning', text: 'Hm.' },
      { kind: 'text', text: 'Let me look.' },
      { kind: 'call', id: 'a', name: 'read', arguments: { path: '/x' } },
    ],
    stop: 'tool-calls',
    stopWord: 'tool_calls',
    usage: { input: 3, output: 4, cachedInput: 2 },
    faults: [],
    oddities: [
      { rule: 'chat.reasoning', shape: 'C30', what: 'reasoning comes as `reasoning_content`', event: 5 },
    ],
  });
});

describe('which call a fragment belongs to', () => {
  test('without index, one call takes all; several need their ids', () => {
    const one = fold([
      call({ id: 'a', function: { name: 'f' } }),
      call({ function: { arguments: '{}' } }),
      stop(),
      done,
    ]);
    expect([one.complete, calls(one).length]).toEqual([true, 1]);
    const two = [call({ id: 'a', function: { name: 'f' } }, { id: 'b', function: { name: 'g' } })];
    const lost = fold([...two, call({ function: { arguments: '{"a":1}' } }), stop('tool_calls'), done]);
    expect([lost.complete, notes(lost)]).toEqual([false, ['chat.ambiguous-call C05', 'chat.no-index C05']]);
  });

  test('two whole calls without index and id are ambiguous, not one call of both names', () => {
    const entries = ['f', 'g'].map((name) => ({ function: { name, arguments: '{}' } }));
    expect(notes(fold([call(...entries), stop('tool_calls'), done]))).toContain('chat.ambiguous-call C05');
  });

  test('an index that was taken means a new call only with a name', () => {
    const renamed = fold([
      call(head(0, 'a', 'f')),
      call({ index: 0, id: 'b', function: { arguments: '{}' } }),
      stop(),
      done,
    ]);
    expect([renamed.complete, notes(renamed)[0]]).toEqual([false, 'chat.call-changed-id']);
  });

  test('ids stay as they are on the wire', () => {
    const folded = fold([call(head(0, 'same', 'f'), head(1, 'same', 'g')), stop('tool_calls'), done]);
    expect(calls(folded)).toEqual([
      { kind: 'call', id: 'same', name: 'f', arguments: {} },
      { kind: 'call', id: 'same', name: 'g', arguments: {} },
    ]);
    expect([folded.complete, notes(folded)]).toEqual([true, ['chat.call-id C39']]);
  });

  test.each([-1, 1.5, '0', {}])('%j is not an index', (index) => {
    expect(notes(fold([call({ index, function: { name: 'f' } }), stop(), done]))).toContain('chat.bad-index');
  });

  test('a name cannot change once arguments came', () => {
    const folded = fold([
      call(head(0, 'a', 'f'), more(0, '{}')),
      call({ index: 0, function: { name: 'g' } }),
      stop(),
      done,
    ]);
    expect(notes(folded)).toContain('chat.name-changed');
  });
});

describe('arguments', () => {
  test.each([
    ['', {}],
    [' \n', {}],
    ['null', {}],
    ['{"a":{"b":[1]}}', { a: { b: [1] } }],
  ])('%j is %j', (text, made) => {
    const folded = fold([call(head(0, 'a', 'f'), more(0, text)), stop('tool_calls'), done]);
    expect(calls(folded)).toEqual([{ kind: 'call', id: 'a', name: 'f', arguments: made }]);
    expect(folded.complete).toBe(true);
  });

  test.each([
    ['{"a":', 'chat.arguments-cut C26'],
    ['{"a":"}{', 'chat.arguments-cut C26'],
    ['{}{"a":1}', 'chat.arguments-several C13'],
    ['{"a":"\\"}"} {}', 'chat.arguments-several C13'],
    ['[1]', 'chat.arguments-no-object'],
    ['"x"', 'chat.arguments-no-object'],
    ['{"a":1}]', 'chat.arguments-no-object'],
    [`{"a":${'['.repeat(300)}${']'.repeat(300)}}`, 'chat.arguments-too-deep'],
  ])('%j is not a call to make', (text, rule) => {
    const folded = fold([call(head(0, 'a', 'f'), more(0, text)), stop('tool_calls'), done]);
    expect([folded.complete, notes(folded)]).toEqual([false, [rule]]);
    expect(calls(folded)).toEqual([{ kind: 'call', id: 'a', name: 'f', argumentsText: text }]);
  });

  test('a model that may say no more stops inside them; that is legal', () => {
    const folded = fold([call(head(0, 'a', 'f'), more(0, '{"a":')), stop('length'), done]);
    expect([folded.complete, folded.stop, folded.faults]).toEqual([true, 'length', []]);
    expect(calls(folded)).toEqual([{ kind: 'call', id: 'a', name: 'f', argumentsText: '{"a":' }]);
  });
});

describe('how it ends', () => {
  const text = delta({ content: 'Hi' });

  test.each<[string, unknown[], 'end' | 'cut', boolean, string[]]>([
    ['finish and end mark', [text, stop(), done], 'end', true, []],
    ['the end mark, then a broken connection', [text, stop(), done], 'cut', true, []],
    ['finish alone', [text, stop()], 'end', true, []],
    ['finish, then a broken connection', [text, stop()], 'cut', false, ['chat.cut S27']],
    ['the end mark alone', [text, done], 'end', false, ['chat.no-finish C24']],
    ['neither', [text], 'end', false, ['chat.no-finish C25']],
    ['nothing at all', [], 'end', false, ['chat.empty', 'chat.no-finish C25']],
    ['the end mark twice', [text, stop(), done, done], 'end', true, ['chat.done-twice']],
    ['usage behind the end mark', [text, stop(), done, { choices: [] }], 'end', true, ['chat.after-done']],
    ['text behind the end mark', [text, stop(), done, text], 'end', false, ['chat.after-done']],
    ['text behind the finish', [text, stop(), text, done], 'end', true, ['chat.went-on C22']],
    [
      'the same without end mark',
      [text, stop(), text],
      'end',
      false,
      ['chat.no-end C25', 'chat.went-on C22'],
    ],
    [
      'a reason that is not a string',
      [text, stop(7), done],
      'end',
      false,
      ['chat.finish', 'chat.no-finish C24'],
    ],
    [
      'calls announced, none came',
      [text, stop('tool_calls'), done],
      'end',
      false,
      ['chat.word-without-calls C18'],
    ],
  ])('%s', (_, events, how, complete, noted) => {
    const folded = fold(events, how);
    expect([folded.complete, notes(folded)]).toEqual([complete, noted]);
  });

  test('a choice after the first must end, too', () => {
    const other = { choices: [{ index: 1, delta: { content: 'x' }, finish_reason: null }] };
    expect(notes(fold([text, other, stop(), done]))).toEqual([
      'chat.no-finish C38',
      'chat.other-choices C38',
    ]);
  });

  test.each([
    ['end', 'other', true],
    ['network_error', 'other', false],
    ['malformed_function_call', 'other', false],
    ['__proto__', 'other', true],
  ])('the unknown word %s', (word, reason, complete) => {
    const folded = fold([text, stop(word), done]);
    expect(folded).toMatchObject({ stop: reason, stopWord: word, complete, faults: [] });
    expect(folded.parts).toEqual([{ kind: 'text', text: 'Hi' }]);
    expect(folded.error?.type).toBe(complete ? undefined : word);
  });

  test('a refusal is a stop of its own', () => {
    expect(fold([delta({ refusal: 'I will not.' }), stop(), done])).toMatchObject({
      stop: 'refusal',
      complete: true,
      parts: [{ kind: 'refusal', text: 'I will not.' }],
    });
  });
});

describe('failures in the middle of a stream', () => {
  test.each<[unknown, object, string[]]>([
    [
      { error: { message: 'Busy', type: 'overloaded', code: 529 } },
      { type: 'overloaded', message: 'Busy', code: '529' },
      [],
    ],
    [{ error: 'upstream reset' }, { type: 'error', message: 'upstream reset' }, ['chat.error-form C28']],
    [{ error: { message: 'x' } }, { type: 'error', message: 'x' }, ['chat.error-form C28']],
    [
      { object: 'error', message: 'x', type: 'BadRequest', code: 400 },
      { type: 'BadRequest', message: 'x', code: '400' },
      [],
    ],
  ])('%j', (event, error, noted) => {
    const folded = fold([delta({ content: 'Hi' }), call(head(0, 'a', 'f'), more(0, '{"a')), event], 'cut');
    expect(folded).toMatchObject({ complete: false, error });
    expect(notes(folded)).toEqual(noted);
    expect(calls(folded)).toEqual([{ kind: 'call', id: 'a', name: 'f', argumentsText: '{"a' }]);
  });

  test('by the name of the event', () => {
    const stream = openAiChatDialect.createFold();
    stream.push({ event: 'error', data: '{"message":"gone","type":"server_error"}' });
    expect(stream.end('end').error).toEqual({ type: 'server_error', message: 'gone' });
  });
});

describe('what is not a chunk', () => {
  test.each([
    ['{"a":', 'sse.not-json'],
    ['7', 'sse.not-object'],
    ['{"choices":[{"delta":{"content":"a\u0001"}}]}', 'sse.raw-control S22'],
    ['{"choices":[{"delta":{"con{"error":{"message":"x","type":"y"}}', 'sse.two-values S21'],
    ['{"choices":[]}{"choices":[]}', 'sse.two-values S21'],
    ['{"choices":{}}', 'chat.choices'],
    ['{"choices":[7]}', 'chat.choice'],
    ['{"choices":[{"delta":"x"}]}', 'chat.delta'],
    ['{"choices":[{"delta":{"content":5}}]}', 'chat.content'],
    ['{"choices":[{"delta":{"tool_calls":{}}}]}', 'chat.calls-no-list'],
    ['{"choices":[{"delta":{"tool_calls":[0]}}]}', 'chat.call-no-object'],
    ['{"choices":[{"index":-1}]}', 'chat.choice-index'],
    ['{"choices":[],"usage":{"prompt_tokens":"3"}}', 'chat.usage'],
    ['{"choices":[],"usage":7}', 'chat.usage'],
  ])('%s', (event, rule) => {
    const folded = fold([delta({ content: 'Hi' }), event, stop(), done]);
    expect([folded.complete, notes(folded)]).toEqual([false, [rule]]);
    expect(folded.faults[0]?.event).toBe(2);
  });

  test('empty parts are skipped', () => {
    const folded = fold([
      delta({ content: 'Hi' }),
      '',
      ' ',
      ': keepalive',
      { choices: [], prompt_filter_results: [] },
      stop(),
      done,
    ]);
    expect([folded.complete, notes(folded)]).toEqual([true, ['sse.comment-as-data S11']]);
  });
});

test('tools with free text are parts of their own', () => {
  const folded = fold([
    call({ index: 0, id: 'a', type: 'custom', custom: { name: 'sql', input: '' } }),
    call({ index: 0, custom: { input: 'select 1' } }),
    stop('tool_calls'),
    done,
  ]);
  expect(folded).toMatchObject({
    complete: true,
    parts: [{ kind: 'other', type: 'custom', value: { id: 'a', name: 'sql', input: 'select 1' } }],
  });
});

describe('a body', () => {
  const body = (message: unknown, finish: unknown = 'stop'): unknown => ({
    id: 'c1',
    choices: [{ index: 0, message, finish_reason: finish }],
  });
  const foldBody = (value: unknown, status = 200): FoldedTurn => openAiChatDialect.foldBody(value, status);

  test('refusals keep type, code and message', () => {
    const error = {
      message: 'No such model',
      type: 'invalid_request_error',
      param: null,
      code: 'model_not_found',
    };
    const folded = foldBody({ error }, 404);
    expect(folded).toMatchObject({ complete: false, streamed: false, faults: [] });
    expect(folded.error).toEqual({
      type: 'invalid_request_error',
      message: 'No such model',
      code: 'model_not_found',
    });
  });

  test.each<[string, unknown, number, string[]]>([
    ['an error with success', { error: { message: 'x', type: 'y' } }, 200, ['chat.error-with-success C27']],
    ['a refusal without error', { detail: 'x' }, 422, ['chat.refusal']],
    ['no object', 'x', 200, ['chat.body']],
    ['no choices', {}, 200, ['chat.choices']],
    ['no message', { choices: [{ delta: {} }] }, 200, ['chat.empty']],
    ['no reason to stop', body({ content: 'x' }, null), 200, ['chat.no-finish C25']],
    [
      'arguments cut off',
      body({ tool_calls: [{ id: 'a', function: { name: 'f', arguments: '{' } }] }, 'tool_calls'),
      200,
      ['chat.arguments-cut C26'],
    ],
  ])('%s', (_, value, status, rules) => {
    const folded = foldBody(value, status);
    expect([folded.complete, notes(folded)]).toEqual([false, rules]);
  });
});
