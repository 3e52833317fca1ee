import { expect, test } from 'vitest';
import type { AttemptView } from '../../checks/attempt-view.ts';
import { type Reader, twinGuards } from './twin-places.ts';

type View = Pick<AttemptView, 'record' | 'steps'>;

function viewOf(answers: Record<string, unknown>): View {
  const names = Object.keys(answers);
  return {
    record: { steps: names.map((name) => ({ name, line: 1, driver: 'http', to: 'api' })) },
    steps: new Map(names.map((name) => [name, { evidence: answers[name] }])),
  } as unknown as View;
}

function reader(checkUnderTest: Partial<Reader['checkUnderTest']>, ...guards: readonly string[]): Reader {
  return {
    checkUnderTest: { kind: 'exchange', source: 'exchange asked', value: undefined, ...checkUnderTest },
    guards: new Set(guards),
  };
}

test('a check of a list of answers reads each answer in it', () => {
  const [first, second, third] = [{ status: 200 }, { status: 409 }, { status: 500 }];
  const view = viewOf({ '#1': first, '#2': second, '#3': third });
  const list = reader(
    { kind: 'value', source: 'a value of the flow', value: [first, second] },
    '$',
    '$[].status',
  );
  expect(twinGuards(view, [list])).toEqual(['exchange #1 $.status', 'exchange #2 $.status']);
});

test('the status of a call from outside is the status of its answer, in both directions', () => {
  const view = viewOf({ asked: { status: 200 } });
  const calls = { kind: 'calls', source: 'calls outside -> api', value: [{ status: 200 }] };
  expect(twinGuards(view, [reader(calls, '$[].status')])).toEqual(['exchange asked $.status']);
  expect(twinGuards(view, [reader({ step: 'asked' }, '$.status')])).toEqual([
    'calls outside -> api $[].status',
  ]);
  expect(twinGuards(view, [reader({ ...calls, source: 'calls outside -> other' }, '$[].status')])).toEqual(
    [],
  );
});

test('a check of the turn of a call reads what a model said in its stream', () => {
  const events = [{ data: { choices: [{ delta: { content: 'Hello.' } }] } }];
  const calls = { kind: 'calls', source: 'calls outside -> api', value: [{ turn: { text: 'Hello.' } }] };
  const view = viewOf({ asked: { status: 200, events } });
  expect(twinGuards(view, [reader(calls, '$[].turn.text')])).toContain(
    'exchange asked $.events[].data.choices[].delta.content',
  );
  expect(twinGuards(view, [reader(calls, '$[].request.json')])).toEqual([]);
});

test('a check of the only text of a tool reads its result', () => {
  const one = { content: [{ type: 'text', text: '{"id":7}' }], result: { id: 7 } };
  const guarded = reader({ step: 'asked' }, '$.content[].text');
  expect(twinGuards(viewOf({ asked: one }), [guarded])).toEqual(['exchange asked $.result.id']);
  const two = { ...one, content: [...one.content, { type: 'text', text: 'more' }] };
  expect(twinGuards(viewOf({ asked: two }), [guarded])).toEqual([]);
});

test('a condition is guarded if the whole list is', () => {
  const rows = {
    kind: 'rows',
    source: 'rows shop.orders',
    where: { state: 'paid', by: { name: 'ada' } },
    value: [],
  };
  expect(twinGuards(viewOf({}), [reader(rows, '$')])).toEqual([
    'rows shop.orders $[].state',
    'rows shop.orders $[].by.name',
  ]);
  expect(twinGuards(viewOf({}), [reader(rows, '$[].total')])).toEqual([]);
});
