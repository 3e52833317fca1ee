import { expect, test } from 'vitest';
import { renamedStream } from './rename-stream.ts';

const events = (...data: unknown[]): string => data.map((one) => `data: ${JSON.stringify(one)}\n\n`).join('');
const chat = (index: number, text: string): object => ({
  choices: [{ index: 0, delta: { content: null, tool_calls: [{ index, function: { arguments: text } }] } }],
});
const rename = (text: string): string =>
  text.replaceAll('id-4711', 'id-0815').replaceAll('short', 'much-longer');

test('an id that spans events is replaced where it is, and nothing else changes', () => {
  const recorded = events(
    chat(0, '{"a":"id-'),
    chat(1, '{"b":1'),
    chat(0, '4711'),
    chat(1, '}'),
    chat(0, '"}'),
  );
  const now = events(chat(0, '{"a":"id-'), chat(1, '{"b":1'), chat(0, '0815'), chat(1, '}'), chat(0, '"}'));
  expect(renamedStream(recorded, rename)).toBe(now);
});

test('an id of another length is where the old one began', () => {
  const recorded = events(chat(0, 'in sh'), chat(0, 'or'), chat(0, 't form'));
  expect(renamedStream(recorded, rename)).toBe(
    events(chat(0, 'in much-longer'), chat(0, ''), chat(0, ' form')),
  );
});

test('what is written in another way cannot be replaced in its place', () => {
  const [first = '', second = ''] = [chat(0, 'id-'), chat(0, '4711')].map((one) => JSON.stringify(one));
  expect(
    renamedStream(`data: ${first}\n\ndata: ${second.replace('4711', '4\\u003711')}\n\n`, rename),
  ).toBeUndefined();
});
