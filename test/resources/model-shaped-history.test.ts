/** What a tap makes of an answer in another shape, a strict model accepts when it comes back. */
import { expect, test } from 'vitest';
import { isMap, type JsonMap } from '../../src/kernel/is-map.ts';
import { createRandom } from '../../src/kernel/random.ts';
import { shapes } from '../../src/protocols/shapes/shape-table.ts';
import { shapedTurn } from '../../src/taps/exchanges/shaped-turn.ts';
import { openModel } from './open-model.ts';

const question = { role: 'user', content: 'What is in my notes?' };
const asked = {
  model: 'gpt-5',
  input: [question],
  include: ['reasoning.encrypted_content'],
  tools: [
    { type: 'function', name: 'read_file', parameters: { type: 'object' } },
    { type: 'web_search' },
    { type: 'mcp', server_label: 'notes', server_url: 'https://example.com' },
    { type: 'image_generation' },
  ],
};
const call = (path: string) => ({ name: 'read_file', arguments: { path } });

const legal = shapes.filter(
  ({ over, tier, make }) => over.join() === 'openai-responses' && tier !== '1' && make,
);

test.each(legal.flatMap(({ id }) => [false, true].map((stream) => [id, stream] as const)))(
  '%s, streamed: %s',
  async (id, stream) => {
    const model = await openModel({ strict: true });
    const line = { reasons: 'Hm.', says: 'I look.', calls: [call('a'), call('b')] };
    await model.begin({ agent: [line, { says: 'Milk.', times: 'any' }] });
    const body = { ...asked, stream };
    const { text, headers } = await model.ask('/v1/responses', body);
    const answer = reshaped(id, body, text, headers.get('content-type') ?? '');
    if (answer === undefined) return expect(stream ? ['R12'] : streamedOnly).toContain(id);
    const outputs = answer.calls.map((call_id) => ({
      type: 'function_call_output',
      call_id,
      output: 'Milk.',
    }));
    expect(outputs).toHaveLength(2);
    for (const items of answer.items)
      for (const said of [items, items.map(referenceTo)]) {
        const again = await model.ask('/v1/responses', { ...body, input: [question, ...said, ...outputs] });
        expect([again.status, again.status === 200 ? '' : again.text]).toEqual([200, '']);
      }
  },
);

const streamedOnly = legal.map(({ id }) => id).filter((id) => !/^R(?:04|12|20|22|26)$/.test(id));

/** The items as they were done one by one, and as the end of the answer has them, where it does. */
function reshaped(
  id: string,
  body: unknown,
  text: string,
  type: string,
): { readonly items: readonly (readonly JsonMap[])[]; readonly calls: readonly unknown[] } | undefined {
  const shape = shapes.find((one) => one.id === id) ?? expect.fail();
  const answer = shapedTurn({
    shape,
    about: {
      request: { method: 'POST', target: '/v1/responses', minor: 1, headers: {} },
      random: createRandom(id),
      now: () => 1,
      sendAgain: async () => false,
    },
    request: Buffer.from(JSON.stringify(body)),
    response: {
      head: { status: 200, reason: 'OK', minor: 1, headers: { 'content-type': type } },
      body: Buffer.from(text),
    },
  });
  if (answer === undefined) return undefined;
  const sent = Buffer.concat(answer.pieces.map(({ bytes }) => bytes)).toString();
  const events = [...sent.matchAll(/^data: (.*)$/gm)].map(([, data = '']) => JSON.parse(data) as JsonMap);
  const last = events.length === 0 ? (JSON.parse(sent) as JsonMap) : events.at(-1)?.response;
  const done = events.flatMap(({ type: kind, item }) =>
    kind === 'response.output_item.done' && isMap(item) ? [item] : [],
  );
  const whole = isMap(last) && Array.isArray(last.output) ? last.output.filter(isMap) : [];
  const items = [done, whole].filter((list) => list.some(({ call_id }) => call_id !== undefined));
  const calls = items[0]?.flatMap(({ call_id }) => call_id ?? []) ?? [];
  return { items, calls };
}

function referenceTo(item: JsonMap): JsonMap {
  return item.id === undefined ? item : { type: 'item_reference', id: item.id };
}
