import { flow } from 'shakedown';

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
  async ({ mcp, rows, quiet, check, trial }) => {
    const event = { event_id: trial.uid, channel: 'api', text };
    const accepted = await mcp('switchboard').call<{ session: string }>('ingest', event);
    check('accepted', accepted, { isError: false, result: { status: 'accepted' } });
    const { session } = accepted.result;

    await rows('switchboard.inbox', { session }).until([{ status: 'done' }], { within: '10s' });
    await quiet();
    check('symptom', await rows('health.symptoms', { session }), [{ name: 'back pain', severity: 4 }]);
    check('measurement', await rows('health.measurements', { session }), [{ kind: 'weight', value: 82 }]);
    check('expense', await rows('finance.expenses', { session }), [{ amount: 30, item: 'medicine' }]);

    for (const butler of ['health', 'finance']) {
      const beat = await mcp(butler).call<{ session: string }>('heartbeat_tick');
      const id = beat.result.session;
      check(`${butler}-logged`, await rows(`${butler}.sessions`, { id: session }), [
        { trigger: 'message', status: 'done' },
      ]);
      check(`${butler}-heartbeat`, await rows(`${butler}.sessions`, { id }), [
        { trigger: 'heartbeat', status: 'done', answer: 'alive, 0 sessions open', tool_calls: [] },
      ]);
    }
  },
);
