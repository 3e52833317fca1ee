/** Which checks of a flow are decided by its code, on answers that a small flow is given again. */
import { expect, test } from 'vitest';
import { viewAttempt } from '../../../checks/attempt-view.ts';
import type { AttemptEvent, AttemptEventBody } from '../../../journal/trial-event.ts';
import type { Declaration } from '../../../trials/flow/flow-message.ts';
import type { FlowRecord, Replayed } from '../../../trials/flow/replay-flow.ts';
import { examineFlow } from './examine-flow.ts';

type Answer = { readonly status: number; readonly json: Readonly<Record<string, unknown>> };

const order: Answer = { status: 201, json: { id: 41, same: 41 } };

/** A flow of so many steps with the same answer. */
async function examine(
  body: (first: Answer, record: FlowRecord) => Replayed,
  answer = order,
  steps = 1,
  more: readonly object[] = [],
) {
  const names = Array.from({ length: steps }, (_, index) => `#${index + 1}`);
  const record = { id: 'a/b', file: 'a.flow.ts', line: 1, kind: 'flow', covers: [], tags: [], checks: [] };
  const trial = { ...record, steps: [], logs: { error: 'ERROR', allow: [] } };
  const seen = new Map<string, unknown>(names.map((name) => [name, answer]));
  const { declared } = body(answer, { steps: seen } as unknown as FlowRecord);
  const bodies = [
    {
      type: 'attempt.started',
      uid: 't',
      trial,
      scope: { trial: { uid: 't' } },
      topology: { parties: [], edges: [] },
    },
    ...names.flatMap((step) => [
      { type: 'step.started', step, action: 'http', sent: { http: 'GET a/' } },
      { type: 'step.ended', step, outcome: 'done', evidence: answer, sentBytes: 5 },
    ]),
    ...more,
    ...declared.map(({ id }) => ({
      type: 'check.declared',
      check: { id, line: 1, kind: 'code', opaque: { held: true } },
    })),
    { type: 'attempt.ended', end: 'done', because: 'it ended', durationMs: 5 },
  ] as unknown as readonly AttemptEventBody[];
  const view = viewAttempt(bodies.map((one, index): AttemptEvent => ({ ...one, seq: index + 1, at: index })));
  if (!view) throw new Error('there is no attempt');
  let replays = 0;
  const examined = await examineFlow(view, {
    perform: async (given) => {
      replays += 1;
      return body(given.steps.get('#1') as Answer, given);
    },
    close: async () => undefined,
  });
  return { replays, vital: Object.fromEntries([...examined].map(([id, { vital }]) => [id, vital])) };
}

const closure = (id: string, held: boolean): Declaration => ({ id, line: 1, evidence: { opaque: { held } } });

test('a closure is held against mutants, and one that cannot fail is found', async () => {
  const { vital } = await examine(({ status }) => ({
    declared: [closure('created', status === 201), closure('always', status >= 0)],
  }));
  expect(vital).toEqual({ created: true, always: false });
});

test('it ends as soon as all have failed', async () => {
  const { vital, replays } = await examine(({ status }) => ({
    declared: [closure('created', status === 201)],
  }));
  expect(vital).toEqual({ created: true });
  expect(replays).toBeLessThan(5);
});

test('a place behind a long list is mutated as well', async () => {
  const items = Array.from({ length: 20 }, (_, index) => ({
    id: index,
    name: `n${index}`,
    price: index * 3,
  }));
  const { vital } = await examine(({ json }) => ({ declared: [closure('total', json.total === 57)] }), {
    status: 200,
    json: { items, total: 57 },
  });
  expect(vital).toEqual({ total: true });
});

test('where a mutant makes the flow ask for something else, what follows is not decided', async () => {
  const { vital } = await examine(({ status }) =>
    status === 201
      ? { declared: [closure('before', true), closure('created', true)] }
      : { declared: [closure('before', true)], failure: 'not-recorded' },
  );
  expect(vital).toEqual({ before: false });
});

test('a closed world beside it, which other checks claim, keeps no closure from being decided', async () => {
  const { vital } = await examine(
    ({ status }) => ({
      declared: [
        {
          id: 'world',
          line: 1,
          evidence: { watched: { kind: 'changes', raw: {} } },
          expect: [],
          only: ['x'],
        },
        closure('always', status >= 0),
      ],
    }),
    order,
    1,
    [{ type: 'probe.sampled', probe: 'world', value: [{ kind: 'row' }], from: 0, to: 0, samples: 1 }],
  );
  expect(vital).toEqual({ always: false });
});

test('equal fields of the last of many answers differ in some mutant', async () => {
  const { vital, replays } = await examine(
    (_, { steps }) => {
      const { id, same } = ((steps.get('#90') as Answer).json ?? {}) as Answer['json'];
      return { declared: [closure('same', id === same)] };
    },
    order,
    90,
  );
  expect(vital).toEqual({ same: true });
  expect(replays).toBeLessThan(460);
});

test('a flow of more answers than can be mutated is not decided, and not performed', async () => {
  const { vital, replays } = await examine(
    (_, { steps }) => ({ declared: [closure('last', (steps.get('#600') as Answer).status === 201)] }),
    order,
    600,
  );
  expect([vital, replays]).toEqual([{}, 0]);
});

test('a key that is dropped counts where the code asks for keys, and not where it stumbles', async () => {
  const { vital } = await examine(({ json }) => {
    const value = (id: string, seen: unknown, expected: unknown): Declaration => ({
      id,
      line: 1,
      evidence: { value: seen },
      expect: expected,
    });
    return {
      declared: [
        value('keys', Object.keys(json), { $contains: ['same'] }),
        value('in', 'same' in json, true),
        value('sane', Number(json.id ?? 0) >= 0 || json.id === undefined, true),
      ],
    };
  });
  expect(vital).toEqual({ keys: true, in: true, sane: false });
});

test('a closure that stumbles over another type has compared nothing; one that throws on purpose has', async () => {
  const { vital } = await examine(
    ({ json }) => {
      const ids = json.ids as readonly number[];
      const tried = (id: string, body: () => boolean): Declaration => {
        try {
          return closure(id, body());
        } catch (error) {
          const opaque = { held: false, message: `it threw ${String(error)}` };
          return { id, line: 1, evidence: { opaque } };
        }
      };
      return {
        declared: [
          tried('not-more', () => new Set(ids.map((id) => id)).size <= ids.length),
          tried('asserted', () => {
            if (ids.length !== 2) throw new Error('not two');
            return true;
          }),
        ],
      };
    },
    { status: 200, json: { ids: [4, 5] } },
  );
  expect(vital).toEqual({ 'not-more': false, asserted: true });
});

test('an empty list is filled with what the same place shows elsewhere', async () => {
  const given = [{ items: [] }, { items: [{ state: 'closed' }] }];
  const states = (json: unknown) => (json as { items: { state?: string }[] }).items;
  const { vital } = await examine(
    (_, { steps }) => {
      const none = states((steps.get('#1') as Answer).json);
      return {
        declared: [
          closure('each', none?.every?.(({ state }) => state === 'closed') ?? true),
          closure('none', none?.length === 0),
        ],
      };
    },
    { status: 200, json: given[0] as Answer['json'] },
    2,
    [
      { type: 'step.started', step: '#3', action: 'http', sent: { http: 'GET a/' } },
      {
        type: 'step.ended',
        step: '#3',
        outcome: 'done',
        evidence: { status: 200, json: given[1] },
        sentBytes: 5,
      },
    ],
  );
  expect(vital).toEqual({ each: false, none: true });
});
