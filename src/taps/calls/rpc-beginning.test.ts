import fc from 'fast-check';
import { expect, test } from 'vitest';
import { defined } from '../../kernel/defined.ts';
import { idOfCut, rpcBeginning } from './rpc-beginning.ts';

const partial = (method: string, key?: string) => defined({ method, isPartial: true, key });

test.each([
  ['{"jsonrpc":"2.0","id":1,"method":"a/b","params":{"x":"', partial('a/b', '1')],
  [' { "method" : "a\\"b" , "params" : [ 1, {"method":"inner"}, "]', partial('a"b')],
  ['{"id":"7","jsonrpc":"2.0","params":[{"a":"}"}],"method":"late","x', partial('late', '"7"')],
  ['{"jsonrpc":"2.0","method":"cut off in the mid', undefined],
  ['{"jsonrpc":"2.0","id":1,"params":{"method":"inner","x":"', undefined],
  ['{"jsonrpc":"1.0","method":"a","params":{', undefined],
  ['{"method":"card","amount":7,"params":{', undefined],
  ['{"method":"card","lines', undefined],
  ['[{"jsonrpc":"2.0","method":"a","params":{', undefined],
  ['{"method" "a"', undefined],
  ['"method"', undefined],
  ['', undefined],
])('%s', (body, expected) => {
  expect(rpcBeginning(body)).toEqual(expected);
});

test('wherever a call is cut, what is known of it is true, and any other input is harmless', () => {
  fc.assert(
    fc.property(fc.string(), fc.json(), fc.nat(), (method, params, at) => {
      const body = `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)},"params":${params}}`;
      const beginning = rpcBeginning(body.slice(0, at % (body.length + 1)));
      expect(beginning === undefined || beginning.method === method).toBe(true);
      expect(rpcBeginning(params.slice(0, at))).toBeUndefined();
    }),
  );
});

test.each<[string, string, string, unknown]>([
  ['first', '{"jsonrpc":"2.0","id":7,"result":{"a":"', '"b":{"id":9}}', 7],
  ['last', '{"result":{"a":"', '"}]},"jsonrpc":"2.0","id":7}', 7],
  ['last but one, a text', '{"result":{"a":"', '"},"id":"a\\"b","jsonrpc":"2.0"}\n', 'a"b'],
  ['of something inside', '{"result":{"a":"', '"b":{"id":9}}}', undefined],
  ['in a text', '{"result":{"a":"', '\\"id\\":9}"}}', undefined],
])('the id of an answer that is cut in the middle: %s', (_, beginning, end, id) => {
  expect(idOfCut(beginning, end)).toBe(id);
});
