import path from 'node:path';
import { expect, test } from 'vitest';
import { systemClock } from '../../kernel/clock.ts';
import { Problem } from '../../kernel/problem.ts';
import type { Plan } from '../plan.ts';
import type { KeeperClient } from './keeper-client.ts';
import { takeDown } from './take-down.ts';

test('a keeper that answers with a problem counts as not answering', async () => {
  const asked: string[] = [];
  const client: KeeperClient = {
    ask: (request) => {
      asked.push(request);
      return Promise.reject(
        new Problem({ code: 'usage.not-up', where: 'here', what: 'no', allowed: '', next: '' }),
      );
    },
    gone: Promise.resolve(),
    onEvent: () => undefined,
    close: () => undefined,
  };
  const workspace = path.join(import.meta.dirname, 'nowhere');
  const taken = await takeDown(client, { workspace } as Plan, 'enough', systemClock);
  expect(taken).toEqual({ wasGone: false, problems: [], leftBehind: [] });
  expect(asked).toEqual(['ping']);
});
