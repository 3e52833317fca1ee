import { expect, test } from 'vitest';
import { notRead } from '../../kernel/not-kept.ts';
import type { FlowSteps } from '../kind/flow-method.ts';
import { tcpFlow } from './flow.ts';

/** A connection on which this was received. */
function connection(received: unknown) {
  const line = { soFar: () => ({ received }) };
  const open = async (_spec: unknown, _options: unknown, made: (of: unknown) => unknown) => made(line);
  return tcpFlow({ open } as unknown as FlowSteps).tcp('daemon');
}

test('messages are a list, and what is not known to be messages is not an empty one', async () => {
  expect((await connection([{ a: 1 }])).received).toEqual([{ a: 1 }]);
  const unknown = await connection(notRead('name a `codec`'));
  expect(() => unknown.received).toThrow('name a `codec`');
});
