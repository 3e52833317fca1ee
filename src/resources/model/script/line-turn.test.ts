import { expect, test } from 'vitest';
import { printGeminiBody } from '../../../protocols/gemini/print-gemini.ts';
import { readGeminiRequest } from '../../../protocols/gemini/read-gemini-request.ts';
import type { ScriptLine } from '../script-line.ts';
import { lineTurn } from './line-turn.ts';

const calls = [
  { name: 'f', arguments: {} },
  { name: 'g', arguments: {} },
];
const lines: readonly ScriptLine[] = [
  { calls },
  { says: 'Let me look.', calls },
  { reasons: 'Where?', calls },
  { reasons: 'Where?', says: 'Let me look.', calls },
  { hides: 'Where?', says: 'Let me look.', calls },
];

test.each(lines)('what Gemini answers can be sent back to it: %j', (line) => {
  const user = { role: 'user', parts: [{ text: 'go' }] };
  const route = { model: 'gemini-3-pro' };
  const request = readGeminiRequest({ contents: [user] }, route);
  const about = { model: 'gemini-3-pro', id: 'r', createdAt: 0, wantsUsage: false, pieceChars: 9 };
  const body = printGeminiBody(lineTurn(line, 'gemini', request, 'seed'), about);
  const [{ content }] = body.candidates as [{ content: { parts: readonly Record<string, unknown>[] } }];
  const results = calls.map(({ name }) => ({ functionResponse: { name, response: {} } }));
  const contents = [user, content, { role: 'user', parts: results }];
  expect(readGeminiRequest({ contents }, route).historyFaults).toEqual([]);
  const signed = content.parts.filter(({ thoughtSignature }) => thoughtSignature !== undefined);
  expect(signed).toMatchObject([{ functionCall: { name: 'f' } }]);
});

test('thoughts are counted among the output, and by themselves', () => {
  const request = readGeminiRequest({ contents: [{ parts: [{ text: 'go' }] }] }, {});
  const usageOf = (line: ScriptLine): unknown => lineTurn(line, 'gemini', request, 'seed').usage;
  expect(usageOf({ reasons: 'x'.repeat(40), says: 'hi' })).toEqual({ input: 1, output: 11, reasoning: 10 });
  expect(usageOf({ says: 'hi' })).toEqual({ input: 1, output: 1 });
});
