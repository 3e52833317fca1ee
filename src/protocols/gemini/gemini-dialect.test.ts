import { describe, expect, test } from 'vitest';
import { createSseParser } from '../sse/sse-parser.ts';
import { foldLimits } from '../turn/fold-limits.ts';
import type { FoldedTurn, Turn } from '../turn/turn.ts';
import { geminiDialect as dialect } from './gemini-dialect.ts';

/** As the provider sends it: thoughts, text in pieces, a signature on the call, usage in every chunk. */
const recorded = `data: {"candidates": [{"content": {"parts": [{"text": "**Weighing it**","thought": true}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 8,"totalTokenCount": 20,"thoughtsTokenCount": 12},"modelVersion": "gemini-3-pro","responseId": "r1"}\r
\r
data: {"candidates": [{"content": {"parts": [{"text": "Let me "}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 8,"candidatesTokenCount": 2,"totalTokenCount": 22,"thoughtsTokenCount": 12},"modelVersion": "gemini-3-pro","responseId": "r1"}\r
\r
data: {"candidates": [{"content": {"parts": [{"text": "look."}],"role": "model"},"index": 0}],"usageMetadata": {"promptTokenCount": 8,"candidatesTokenCount": 4,"totalTokenCount": 24,"thoughtsTokenCount": 12},"modelVersion": "gemini-3-pro","responseId": "r1"}\r
\r
data: {"candidates": [{"content": {"parts": [{"functionCall": {"name": "look","args": {"at": "潮"}},"thoughtSignature": "EsQ="},{"functionCall": {"name": "look"}}],"role": "model"},"index": 0}],"modelVersion": "gemini-3-pro","responseId": "r1"}\r
\r
data: {"candidates": [{"content": {"role": "model"},"finishReason": "STOP","index": 0}],"usageMetadata": {"promptTokenCount": 8,"cachedContentTokenCount": 3,"candidatesTokenCount": 9,"totalTokenCount": 29,"thoughtsTokenCount": 12},"modelVersion": "gemini-3-pro","responseId": "r1"}\r
\r
`;

const whole: FoldedTurn = {
  dialect: 'gemini',
  streamed: true,
  complete: true,
  parts: [
    { kind: 'reasoning', text: '**Weighing it**' },
    { kind: 'text', text: 'Let me look.' },
    { kind: 'reasoning', text: '', signature: 'EsQ=' },
    { kind: 'call', id: 'call-1', name: 'look', arguments: { at: '潮' } },
    { kind: 'call', id: 'call-2', name: 'look', arguments: {} },
  ],
  stop: 'tool-calls',
  stopWord: 'STOP',
  usage: { input: 8, output: 21, cachedInput: 3, reasoning: 12 },
  id: 'r1',
  model: 'gemini-3-pro',
  faults: [],
  oddities: [],
};

function foldEvents(...chunks: readonly unknown[]): FoldedTurn {
  const fold = dialect.createFold();
  for (const chunk of chunks) fold.push({ data: JSON.stringify(chunk) });
  return fold.end('end');
}

function said(parts: readonly unknown[], more: object = {}): object {
  return { candidates: [{ content: { parts, role: 'model' }, ...more }] };
}

const stopped = { candidates: [{ finishReason: 'STOP' }] };

describe('a recorded answer', () => {
  test('folds to its turn as events', () => {
    const fold = dialect.createFold();
    for (const event of createSseParser().push(recorded)) fold.push(event);
    expect(fold.end('end')).toEqual(whole);
  });

  test('folds to its turn as one list of chunks', () => {
    const chunks = createSseParser()
      .push(recorded)
      .map(({ data }) => JSON.parse(data) as unknown);
    expect(dialect.foldBody(chunks, 200)).toEqual(whole);
    const short = dialect.foldBody(chunks.slice(0, -1), 200);
    expect(short.complete).toBe(false);
    expect(short.faults.map(({ rule }) => rule)).toEqual(['gemini.no-finish']);
  });

  test('without its last chunk is not whole', () => {
    const fold = dialect.createFold();
    for (const event of createSseParser().push(recorded).slice(0, -1)) fold.push(event);
    expect(fold.soFar().complete).toBe(false);
    expect(fold.end('cut').faults).toEqual([
      {
        rule: 'gemini.no-finish',
        shape: 'S27',
        what: 'the answer was cut off without `finishReason`',
        event: 4,
      },
    ]);
  });
});

describe('why it ended', () => {
  test.each([
    ['STOP', 'end'],
    ['MAX_TOKENS', 'length'],
    ['SAFETY', 'filter'],
    ['PROHIBITED_CONTENT', 'filter'],
    ['MALFORMED_FUNCTION_CALL', 'other'],
    ['NO_IMAGE', 'other'],
    ['A_WORD_OF_TOMORROW', 'other'],
    ['constructor', 'other'],
  ])('%s is %s', (finishReason, stop) => {
    expect(foldEvents(said([{ text: 'a' }], { finishReason }))).toMatchObject({
      complete: true,
      stop,
      stopWord: finishReason,
    });
  });

  test('a blocked prompt is an error of its own', () => {
    expect(
      foldEvents({
        promptFeedback: { blockReason: 'PROHIBITED_CONTENT' },
        usageMetadata: { promptTokenCount: 3 },
      }),
    ).toMatchObject({
      complete: false,
      error: { type: 'PROHIBITED_CONTENT', code: 'blockReason' },
      stop: 'filter',
      usage: { input: 3, output: 0 },
      faults: [],
    });
  });

  test('what comes after the end must be ended again', () => {
    expect(foldEvents(stopped, said([{ text: 'a' }]), stopped)).toMatchObject({
      complete: true,
      parts: [{ kind: 'text', text: 'a' }],
      oddities: expect.arrayContaining([
        expect.objectContaining({ rule: 'gemini.content-after-finish', shape: 'G03' }),
      ]),
    });
    expect(foldEvents(stopped, said([{ text: 'a' }])).complete).toBe(false);
  });

  test('an error in the middle of the stream ends it', () => {
    const folded = foldEvents(
      said([{ text: 'a' }]),
      { error: { code: 503, message: 'Busy.', status: 'UNAVAILABLE' } },
      stopped,
    );
    expect(folded).toMatchObject({
      complete: false,
      error: { type: 'UNAVAILABLE', message: 'Busy.', code: '503' },
      faults: [],
    });
  });

  test('nothing is not an answer', () => {
    expect(foldEvents().faults.map(({ rule }) => rule)).toEqual(['gemini.empty']);
    expect(dialect.foldBody({}, 200).faults.map(({ rule }) => rule)).toEqual(['gemini.no-finish']);
  });
});

describe('parts', () => {
  test('other candidates are answers of their own', () => {
    const both = {
      candidates: [
        { index: 1, content: { parts: [{ text: 'b' }] }, finishReason: 'STOP' },
        { content: { parts: [{ text: 'a' }] }, finishReason: 'STOP' },
      ],
    };
    expect(foldEvents(both).parts).toEqual([{ kind: 'text', text: 'a' }]);
  });

  test('a signature belongs to the thoughts right before it, or is on its own', () => {
    const parts = [
      { text: 'Hm', thought: true },
      { text: '.', thought: true },
      { text: 'So: ', thoughtSignature: 'A' },
      { text: 'yes' },
      { text: '', thoughtSignature: 'B' },
    ];
    expect(foldEvents(...parts.map((part) => said([part])), stopped).parts).toEqual([
      { kind: 'reasoning', text: 'Hm.', signature: 'A' },
      { kind: 'text', text: 'So: yes' },
      { kind: 'reasoning', text: '', signature: 'B' },
    ]);
  });

  test('pictures and code are kept as they are', () => {
    const picture = { mimeType: 'image/png', data: 'AA==' };
    expect(
      foldEvents(
        said([{ inlineData: picture }, { executableCode: { code: '1' }, videoMetadata: {} }], {
          finishReason: 'STOP',
        }),
      ).parts,
    ).toEqual([
      { kind: 'other', type: 'inlineData', value: picture },
      { kind: 'other', type: 'executableCode', value: { code: '1' } },
    ]);
  });

  test.each([
    [[{ functionCall: { args: {} } }], 'gemini.call-form'],
    [[{ functionCall: { name: 'a', args: '{}' } }], 'gemini.call-form'],
    [[{ functionCall: { name: 'a', id: 7 } }], 'gemini.call-form'],
    [
      [{ functionCall: { name: 'a', id: 'x' } }, { functionCall: { name: 'b', id: 'x' } }],
      'gemini.call-id-again',
    ],
    [[7], 'gemini.part-form'],
    [[{ text: 7 }], 'gemini.field-type'],
    [[{ text: 'a', thoughtSignature: 7 }], 'gemini.field-type'],
  ])('%j breaks a rule', (parts, rule) => {
    const folded = foldEvents(said(parts, { finishReason: 'STOP' }));
    expect(folded.complete).toBe(false);
    expect(folded.faults.map((fault) => fault.rule)).toEqual([rule]);
  });

  test('text, calls and pictures do not grow without end', () => {
    const large = 'x'.repeat(1024 * 1024);
    const fill = (part: (at: number) => object): FoldedTurn =>
      foldEvents(...Array.from({ length: 20 }, (_, at) => said([part(at)])), stopped);
    expect(fill(() => ({ text: large })).parts).toHaveLength(1);
    expect(fill((at) => ({ functionCall: { name: `f${at}`, args: { large } } })).parts.length).toBeLessThan(
      9,
    );
    expect(fill(() => ({ inlineData: { data: large } })).complete).toBe(false);
    const calls = foldEvents(
      said(Array.from({ length: 3_000 }, () => ({ functionCall: { name: 'a' } }))),
      stopped,
    );
    expect(calls.parts).toHaveLength(foldLimits.calls);
  });
});

describe('a body', () => {
  const about = { id: 'r9', model: 'gemini', createdAt: 1, wantsUsage: true, pieceChars: 3 };
  const turn: Turn = {
    parts: [
      { kind: 'reasoning', text: 'Hm.', signature: 'S' },
      { kind: 'call', id: 'c1', name: 'a', arguments: { b: [1] } },
    ],
    stop: 'tool-calls',
    usage: { input: 12, output: 5, cachedInput: 2, reasoning: 1 },
  };

  test('has the form of the provider', () => {
    expect(dialect.printBody(turn, about)).toEqual({
      candidates: [
        {
          content: {
            parts: [
              { text: 'Hm.', thought: true },
              { functionCall: { id: 'c1', name: 'a', args: { b: [1] } }, thoughtSignature: 'S' },
            ],
            role: 'model',
          },
          finishReason: 'STOP',
          index: 0,
        },
      ],
      usageMetadata: {
        promptTokenCount: 12,
        candidatesTokenCount: 4,
        totalTokenCount: 17,
        cachedContentTokenCount: 2,
        thoughtsTokenCount: 1,
      },
      modelVersion: 'gemini',
      responseId: 'r9',
    });
  });

  test('and so has an empty turn', () => {
    const events = dialect
      .printEvents({ parts: [], stop: 'end' }, about)
      .map(({ data }) => JSON.parse(data) as unknown);
    expect(events).toEqual([
      {
        candidates: [{ content: { parts: [{ text: '' }], role: 'model' }, finishReason: 'STOP', index: 0 }],
        modelVersion: 'gemini',
        responseId: 'r9',
      },
    ]);
  });
});

describe('refusals', () => {
  test.each([
    ['invalid-request', 400, 'INVALID_ARGUMENT'],
    ['context-overflow', 400, 'INVALID_ARGUMENT'],
    ['billing', 400, 'FAILED_PRECONDITION'],
    ['authentication', 401, 'UNAUTHENTICATED'],
    ['permission', 403, 'PERMISSION_DENIED'],
    ['not-found', 404, 'NOT_FOUND'],
    ['rate-limit', 429, 'RESOURCE_EXHAUSTED'],
    ['server', 500, 'INTERNAL'],
    ['server', 504, 'DEADLINE_EXCEEDED'],
    ['overloaded', 503, 'UNAVAILABLE'],
  ] as const)('%s with %i is %s', (kind, code, status) => {
    const body = dialect.printError({ kind, status: code, message: 'No.' });
    expect(body).toEqual({ error: { code, message: 'No.', status } });
    const error = { type: status, message: 'No.', code: String(code) };
    expect(dialect.foldBody(body, code)).toMatchObject({ complete: false, error, faults: [] });
    expect(dialect.foldBody([body], code)).toMatchObject({ complete: false, error, faults: [] });
  });

  test('in an unknown form are identified by their status', () => {
    expect(dialect.foldBody('nope', 502)).toMatchObject({
      error: { type: 'http_502' },
      faults: [{ rule: 'gemini.error-form' }],
    });
    expect(dialect.foldBody({ error: { message: 'a' } }, 200)).toMatchObject({
      complete: false,
      error: { type: 'UNKNOWN' },
    });
  });
});

test('the address', () => {
  const at = (path: string, method = 'POST'): unknown => dialect.route(method, path);
  expect(at('/v1beta/models/gemini-2.5-flash:generateContent')).toEqual({
    model: 'gemini-2.5-flash',
    stream: false,
  });
  expect(at('/models/gemini-3-pro:streamGenerateContent')).toEqual({ model: 'gemini-3-pro', stream: true });
  expect(at('/v1/projects/p/locations/l/publishers/google/models/g:generateContent')).toEqual({
    model: 'g',
    stream: false,
  });
  expect(at('/v1beta/models/a%2Fb%:generateContent')).toEqual({ model: 'a%2Fb%', stream: false });
  expect(at('/v1beta/models/g:countTokens')).toBeUndefined();
  expect(at('/v1beta/models/g:generateContent', 'GET')).toBeUndefined();
  expect(at('/v1beta/models')).toBeUndefined();
});
