import { flow } from 'shakedown';

const calledBy = {
  health: [
    { name: 'symptom_log', arguments: { name: 'back pain', severity: 4 } },
    { name: 'measurement_log', arguments: { kind: 'weight', value: 82 } },
  ],
  finance: [{ name: 'expense_add', arguments: { amount: 30, item: 'medicine' } }],
};
const text = 'My back hurts, severity 4. I weigh 82 kg and I spent 30 euros on medicine';

flow(
  'one message fills three tables of two butlers, and the heartbeat after it finds no session open',
  {
    id: 'butlers/three-tables-flow',
    covers: ['MSG-002', 'LOG-001', 'LOG-003'],
    tags: ['routing', 'heartbeat'],
    isolation: 'shared',
    model: './three-tables.trial.yaml', // the same script
  },
  async ({ mcp, rows, calls, quiet, check, trial }) => {
    const event = { event_id: trial.uid, channel: 'api', text };
    const accepted = await mcp('switchboard').call<{ session: string }>('ingest', event);
    check('accepted', accepted, { isError: false, result: { status: 'accepted' } });
    const { session } = accepted.result;

    await rows('switchboard.inbox', { session }).until([{ status: 'done' }], { within: '10s' });
    await quiet();
    check('symptom', await rows('health.symptoms', { session }), [{ name: 'back pain', severity: 4 }]);
    check('measurement', await rows('health.measurements', { session }), [{ kind: 'weight', value: 82 }]);
    check('expense', await rows('finance.expenses', { session }), [{ amount: 30, item: 'medicine' }]);

    for (const [butler, tools] of Object.entries(calledBy)) {
      const beat = await mcp(butler).call<{ session: string }>('heartbeat_tick');
      check(`${butler}-beats`, beat, { isError: false, result: { status: 'done' } });
      const id = beat.result.session;
      check(`${butler}-handed-over`, calls(`switchboard -> ${butler}`, { method: 'tools/call' }), [
        { result: { isError: false, structuredContent: { status: 'done', session } } },
      ]);
      check(
        `${butler}-tools-called`,
        calls(`${butler} -> ${butler}`, { method: 'tools/call' }),
        tools.map((params) => ({ params, result: { isError: false } })),
      );
      check(`${butler}-logged`, await rows(`${butler}.sessions`, { id: session }), [
        {
          trigger: 'message',
          status: 'done',
          tool_calls: tools.map((call) => ({ ...call, ok: true })),
          error: null,
        },
      ]);
      check(`${butler}-heartbeat`, await rows(`${butler}.sessions`, { id }), [
        { trigger: 'heartbeat', status: 'done', answer: 'alive, 0 sessions open', tool_calls: [] },
      ]);
    }
  },
);
