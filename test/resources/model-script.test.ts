/** A scripted model on the wire, in every dialect. */
import { describe, expect, test } from 'vitest';
import { dialects } from '../../src/protocols/dialects/dialect-table.ts';
import { foldAnswer } from '../../src/protocols/shapes/wire-answer.ts';
import { flatTurn } from '../../src/protocols/turn/flat-turn.ts';
import { type DialectName, dialectNames } from '../../src/protocols/turn/turn.ts';
import { type Answer, asking, openModel } from './open-model.ts';

function turnOf(dialect: DialectName, { status, headers, text }: Answer): ReturnType<typeof flatTurn> {
  const pieces = [{ bytes: Buffer.from(text) }];
  const answer = {
    status,
    headers: { 'content-type': headers.get('content-type') ?? '' },
    pieces,
    end: 'whole',
  } as const;
  return flatTurn(foldAnswer(dialects[dialect], answer));
}

describe.each(dialectNames)('%s', (dialect) => {
  test.each([false, true])('says and calls, streamed: %s', async (stream) => {
    const model = await openModel();
    await model.begin({
      agent: [
        {
          says: 'Voilà, let me look.',
          calls: [{ name: 'read_file', arguments: { path: '/notes/today.md' } }],
          usage: { input: 210, output: 34 },
        },
        { says: 'All is well.' },
      ],
    });
    const { path, body } = asking[dialect](stream);
    const first = turnOf(dialect, await model.ask(path, body));
    const second = turnOf(dialect, await model.ask(path, body));
    expect(first).toMatchObject({
      complete: true,
      streamed: stream,
      text: 'Voilà, let me look.',
      calls: [{ name: 'read_file', arguments: { path: '/notes/today.md' } }],
      stop: 'tool-calls',
      usage: { input: 210, output: 34 },
      faults: [],
    });
    expect(second).toMatchObject({
      complete: true,
      text: 'All is well.',
      calls: [],
      stop: 'end',
      faults: [],
    });
    expect(model.calls()).toMatchObject([
      {
        resource: 'model',
        caller: 'agent',
        call: 1,
        mode: 'script',
        dialect,
        status: 200,
        line: 1,
        streamed: stream,
      },
      { call: 2, line: 2, usage: { input: expect.any(Number), output: 3 } },
    ]);
    expect(model.calls()[0]?.costUsd).toBeGreaterThan(0);
    expect(model.calls().every(({ fault }) => fault === undefined)).toBe(true);
  });

  test('a call without a line is refused with an error of its API, and no client retries', async () => {
    const model = await openModel();
    await model.begin({ agent: [{ says: 'x', when: { text: 'something else' } }] });
    const { path, body } = asking[dialect]();
    const answer = await model.ask(path, body);
    const what =
      'no line of the script: 1 line is left, and it does not fit: line 1 expects "something else" at $.text and got "What is in my notes?"';
    expect(answer.status).toBe(400);
    expect(answer.headers.get('x-should-retry')).toBe('false');
    expect(turnOf(dialect, answer).error?.message).toBe(`agent, call 1: ${what}`);
    expect(model.calls()).toMatchObject([
      { status: 400, costUsd: 0, usage: null, fault: { kind: 'unscripted', what } },
    ]);
  });

  test('a scripted refusal has the form of the provider', async () => {
    const model = await openModel();
    const error = { status: 429, retryAfter: '7', headers: { 'X-Extra': 'yes' } };
    await model.begin({ agent: [{ error }, { error: { status: 503, message: 'Too much of it.' } }] });
    const { path, body } = asking[dialect](true);
    const limited = await model.ask(path, body);
    const busy = await model.ask(path, body);
    expect([limited.status, busy.status]).toEqual([429, 503]);
    expect(limited.headers.get('retry-after')).toBe('7');
    expect(limited.headers.get('x-extra')).toBe('yes');
    expect(turnOf(dialect, limited).error).toBeDefined();
    expect(turnOf(dialect, busy).error?.message).toBe('Too much of it.');
    expect(model.calls().map(({ fault, line }) => [fault, line])).toEqual([
      [undefined, 1],
      [undefined, 2],
    ]);
  });

  test('reasoning and refusals', async () => {
    const model = await openModel();
    await model.begin({ agent: [{ reasons: 'Hm.', says: 'Yes.' }, { refuses: 'I will not.' }] });
    const { path, body } = asking[dialect](true);
    expect(turnOf(dialect, await model.ask(path, body))).toMatchObject({
      reasoning: 'Hm.',
      text: 'Yes.',
      faults: [],
    });
    const refused = await model.ask(path, body);
    expect(refused.text).toContain('will not');
    expect(turnOf(dialect, refused)).toMatchObject({ complete: true, faults: [] });
  });
});

describe('which script answers', () => {
  const { path, body } = asking['openai-chat']();

  test('scripts belong to the caller, by the port that it was given', async () => {
    const model = await openModel();
    await model.begin({ agent: [{ says: 'to the agent' }], gateway: [{ says: 'to the gateway' }] });
    expect((await model.ask(path, body, { caller: 'gateway' })).text).toContain('to the gateway');
    expect((await model.ask(path, body, { caller: 'agent' })).text).toContain('to the agent');
    expect((await model.ask(path, body, { caller: 'outside' })).status).toBe(400);
    expect(model.calls().map(({ caller, call }) => [caller, call])).toEqual([
      ['gateway', 1],
      ['agent', 1],
      ['outside', 1],
    ]);
  });

  test('before the first attempt standing lines answer, and nothing else', async () => {
    const standing = { '*': [{ says: 'warm', when: { text: 'warm up' } }] };
    const model = await openModel({ standing });
    const warmUp = { ...body, messages: [{ role: 'user', content: 'warm up' }] };
    expect((await model.ask(path, warmUp)).text).toContain('warm');
    expect((await model.ask(path, body)).status).toBe(400);
  });

  test('each attempt starts over, and unused lines are reported at its end', async () => {
    const model = await openModel();
    await model.begin({ agent: [{ says: 'one' }, { says: 'two' }] });
    await model.ask(path, body);
    await model.settle();
    expect(model.unused()).toEqual([
      { type: 'peer.unused', resource: 'model', caller: 'agent', line: 2, what: 'says "two"' },
    ]);
    await model.begin({ agent: [{ says: 'three' }] });
    expect((await model.ask(path, body)).text).toContain('three');
    await model.settle();
    expect(model.unused()).toHaveLength(1);
    expect(model.calls().map(({ call }) => call)).toEqual([1, 1]);
  });

  test('the same attempt says the same ids again', async () => {
    const model = await openModel();
    const script = { agent: [{ says: 'x', calls: [{ name: 'read_file', arguments: {} }] }] };
    const ids = async (seed: string): Promise<unknown> => {
      await model.begin(script, { seed });
      const { json } = await model.ask(path, body);
      const { id, choices } = json as {
        id: string;
        choices: { message: { tool_calls: { id: string }[] } }[];
      };
      return [id, choices[0]?.message.tool_calls[0]?.id];
    };
    const first = await ids('seed 1');
    expect(await ids('seed 1')).toEqual(first);
    expect(await ids('seed 2')).not.toEqual(first);
  });
});

describe('what fails a trial', () => {
  const { path, body } = asking['openai-chat']();

  test('two lines that fit one call', async () => {
    const model = await openModel();
    await model.begin({
      agent: [
        { says: 'a', when: { text: { $contains: 'notes' } } },
        { says: 'b', when: { tools: ['read_file'] } },
      ],
    });
    expect((await model.ask(path, body)).status).toBe(400);
    expect(model.calls()[0]?.fault).toEqual({
      kind: 'ambiguous',
      what: 'no line of the script: line 1 (says "a") and line 2 (says "b") both fit',
    });
  });

  test('a request that is not as expected, and a tool that it does not offer: answered nevertheless', async () => {
    const model = await openModel();
    await model.begin({
      agent: [
        { says: 'a', expect: { system: 'Be long.', model: 'gpt-4o' } },
        { calls: [{ name: 'read_files', arguments: {} }] },
      ],
    });
    expect((await model.ask(path, body)).status).toBe(200);
    expect((await model.ask(path, body)).text).toContain('read_files');
    expect(model.calls().map(({ fault }) => fault)).toEqual([
      { kind: 'unexpected-request', what: 'the line expects "Be long." at $.system and got "Be brief."' },
      {
        kind: 'unknown-tool',
        what: 'the script calls read_files, which the request does not offer; it offers read_file',
      },
    ]);
  });

  test('keys are shortened in what a pattern sees', async () => {
    const model = await openModel();
    await model.begin({ agent: [{ says: 'a', expect: { headers: { authorization: 'x' } } }] });
    await model.ask(path, body);
    const what = model.calls()[0]?.fault?.what ?? '';
    expect(what).toContain('Bearer');
    expect(what).not.toContain(model.key);
  });
});

test('the rest of a history decides: results of tools, and how many turns there were', async () => {
  const model = await openModel();
  const call = { id: 'call_1', type: 'function', function: { name: 'read_file', arguments: '{}' } };
  const { path, body } = asking['openai-chat']();
  const later = {
    ...body,
    messages: [
      ...body.messages,
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'call_1', content: 'Buy milk.' },
    ],
  };
  await model.begin({
    agent: [
      { says: 'after the tool', when: { turn: 1, results: [{ id: 'call_1', text: 'Buy milk.' }] } },
      { says: 'at first', when: { turn: 0, results: [], maxTokens: null, stream: false } },
    ],
  });
  expect((await model.ask(path, later)).text).toContain('after the tool');
  expect((await model.ask(path, body)).text).toContain('at first');
});

describe('a tool that is offered, but not in the list of tools, can be called', () => {
  const calc = { type: 'namespace', name: 'calc', tools: [{ type: 'function', name: 'add' }] };
  const definition = { name: 'add', input_schema: { type: 'object' } };
  const addition = { type: 'tool_addition', tool: { type: 'tool_definition', definition } };
  const thread = { type: 'continue', previous_message_id: 'msg_1' };
  test.each<[DialectName, string, object]>([
    ['openai-responses', 'calc.add', { tools: [calc] }],
    ['openai-responses', 'add', { tools: [{ type: 'tool_search', execution: 'client' }] }],
    ['openai-chat', 'add', { tools: [{ type: 'mcp', server: 'calc' }] }],
    ['anthropic', 'add', { messages: [{ role: 'system', content: [addition] }] }],
    ['anthropic', 'add', { tools: [{ type: 'mcp_toolset', mcp_server_name: 'calc' }] }],
    ['anthropic', 'add', { tools: undefined, thread }],
    ['gemini', 'add', { tools: undefined, cachedContent: 'cachedContents/1' }],
    ['gemini', 'click_at', { tools: [{ computerUse: { environment: 'ENVIRONMENT_BROWSER' } }] }],
  ])('%s: %s of %j', async (dialect, name, more) => {
    const model = await openModel();
    await model.begin({ agent: [{ calls: [{ name, arguments: { a: 1 } }], times: 2 }] });
    for (const stream of [false, true]) {
      const { path, body } = asking[dialect](stream);
      const answer = await model.ask(path, { ...body, ...more });
      expect(turnOf(dialect, answer)).toMatchObject({ calls: [{ name, arguments: { a: 1 } }], faults: [] });
      if (name === 'calc.add') expect(answer.text).toContain('"name":"add","namespace":"calc"');
    }
    expect(model.calls().map(({ status, fault }) => ({ status, fault }))).toEqual([
      { status: 200, fault: undefined },
      { status: 200, fault: undefined },
    ]);
  });
});

test.each([
  ['shell', 'shell_call', { commands: ['ls'] }, { action: { commands: ['ls'], timeout_ms: null } }],
  ['local_shell', 'local_shell_call', { command: ['ls'] }, { action: { type: 'exec', command: ['ls'] } }],
  ['apply_patch', 'apply_patch_call', { type: 'delete_file' }, { operation: { type: 'delete_file' } }],
  ['computer', 'computer_call', { type: 'screenshot' }, { actions: [{ type: 'screenshot' }] }],
  ['computer', 'computer_call', { type: 'wait' }, { action: { type: 'wait' } }, 'computer_use_preview'],
])('%s of OpenAI is called in an item of its own', async (name, type, args, expected, offered = name) => {
  const model = await openModel({ strict: true });
  const answers = [{ text: 'seen' }];
  await model.begin({
    agent: [{ calls: [{ name, arguments: args }] }, { says: 'Done.', expect: { turn: 1, results: answers } }],
  });
  const user = { role: 'user', content: 'Look.' };
  const ask = (input: readonly unknown[]) =>
    model.ask('/v1/responses', { model: 'gpt-5', tools: [{ type: offered }], input });
  const { output } = (await ask([user])).json as { output: readonly { call_id: string }[] };
  expect(output).toMatchObject([{ type, status: 'completed', call_id: expect.any(String), ...expected }]);
  const shown = name === 'apply_patch' ? 'seen' : [{ stdout: 'seen' }];
  await ask([user, ...output, { type: `${type}_output`, call_id: output[0]?.call_id, output: shown }]);
  expect(model.calls().map(({ status, fault }) => [status, fault])).toEqual([
    [200, undefined],
    [200, undefined],
  ]);
});

test.each([false, true])('functions are called as before there were tools, streamed: %s', async (stream) => {
  const model = await openModel({ strict: true });
  await model.begin({ agent: [{ calls: [{ name: 'look', arguments: { a: 1 } }] }, { says: 'Done.' }] });
  const ask = (...more: readonly object[]) => {
    const messages = [{ role: 'user', content: 'Look.' }, ...more];
    return model.ask('/v1/chat/completions', {
      model: 'gpt-4',
      functions: [{ name: 'look' }],
      messages,
      stream,
    });
  };
  const answer = await ask();
  expect(turnOf('openai-chat', answer)).toMatchObject({
    complete: true,
    calls: [{ name: 'look', arguments: { a: 1 } }],
    stop: 'tool-calls',
    faults: [],
  });
  expect(answer.text).toContain('"finish_reason":"function_call"');
  expect(answer.text).not.toContain('tool_calls');
  const call = { role: 'assistant', content: null, function_call: { name: 'look', arguments: '{"a":1}' } };
  const after = await ask(call, { role: 'function', name: 'look', content: 'seen' });
  expect(after.status, after.text).toBe(200);
  expect(model.calls().map(({ fault }) => fault)).toEqual([undefined, undefined]);
});

test('gemini streams a JSON list to clients that do not ask for events', async () => {
  const model = await openModel();
  await model.begin({ agent: [{ says: 'Voilà, let me look at it.', pieceChars: 5 }] });
  const { path, body } = asking.gemini(true);
  const answer = await model.ask(path.replace('?alt=sse', ''), body);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=UTF-8');
  expect(answer.json).toHaveLength(answer.text.split('\r\n').length);
  expect(turnOf('gemini', answer)).toMatchObject({
    complete: true,
    text: 'Voilà, let me look at it.',
    faults: [],
  });
});

describe('what comes back is compared with what was sent, and with nothing else', () => {
  test.each([
    ['reasoned for', { reasons: 'I must look.' }, 400],
    ['not reasoned for', {}, 200],
  ])('a call that was %s comes back without thinking', async (_, thought, status) => {
    const model = await openModel({ strict: true });
    const calls = [{ name: 'look', arguments: {}, id: 'toolu_1' }];
    await model.begin({ agent: [{ ...thought, calls }, { says: 'Done.' }] });
    const tools = [{ name: 'look', input_schema: { type: 'object' } }];
    const thinking = { type: 'enabled', budget_tokens: 1_024 };
    const ask = (...messages: object[]) =>
      model.ask('/v1/messages', { model: 'claude', max_tokens: 2_000, thinking, tools, messages });
    const question = { role: 'user', content: 'Look.' };
    expect((await ask(question)).status).toBe(200);
    const call = { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} };
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'seen' };
    const after = await ask(
      question,
      { role: 'assistant', content: [call] },
      { role: 'user', content: [result] },
    );
    expect(after.status, after.text).toBe(status);
  });

  const unknown = { type: 'item_reference', id: 'msg_x' };
  const content = [{ type: 'output_text', text: 'Hello.', annotations: [] }];
  const made = { type: 'message', id: 'x1', role: 'assistant', content };
  test.each([
    ['a reference to an item', unknown, 'plain', {}, 404],
    ['a reference to an item', unknown, 'another', { shape: 'R01' }, 200],
    ['the id of a message', made, 'plain', {}, 400],
    ['the id of a message', made, 'another', { shape: 'R23' }, 200],
    ['the id of a message, kept nowhere,', made, 'another', { shape: 'R23' }, 200, { store: false }],
    ['a reference without a type', { id: 'msg_x' }, 'plain', {}, 404],
  ])(
    '%s that is not known (%j), after an answer in a shape that is %s',
    async (_what, item, _which, shape, status, more: object = {}) => {
      const model = await openModel({ strict: true });
      await model.begin({ agent: [{ says: 'Hello.', ...shape }, { says: 'Done.' }] });
      const ask = (input: unknown) =>
        model.ask('/v1/responses', { model: 'gpt-5', input, stream: true, ...more });
      expect((await ask('Hi')).status).toBe(200);
      const after = await ask([item, { role: 'user', content: 'And?' }]);
      expect(after.status, after.text).toBe(status);
    },
  );
});
