import { flow } from 'shakedown';

const count = 40;
const text = 'I have a cough, severity 1 (${trial.uid})';
const turn = (number: number, line: object) => ({ when: { text, turn: number }, times: count, ...line });

flow(
  'forty messages, one after the other, leave no connection open',
  {
    id: 'butlers/many-messages',
    covers: ['AVL-003', 'SER-001'],
    tags: ['leaks'],
    isolation: 'shared',
    model: {
      switchboard: [
        turn(0, { calls: { route_to_butler: { butler: 'health', text } } }),
        turn(1, { says: 'Passed to health.' }),
      ],
      health: [
        turn(0, { calls: { symptom_log: { name: 'cough', severity: 1 } } }),
        turn(1, { says: 'Noted.' }),
      ],
    },
  },
  async ({ mcp, rows, calls, process, quiet, check, trial }) => {
    const called = { name: 'symptom_log', arguments: { name: 'cough', severity: 1 } };
    const prompt = `I have a cough, severity 1 (${trial.uid})`;
    const answers: unknown[] = [];
    for (let index = 0; index < count; index += 1) {
      const event = { event_id: `${trial.uid}-${index}`, channel: 'api', text: prompt };
      answers.push(await mcp('switchboard').call('ingest', event));
    }
    check('all-accepted', answers, {
      $each: { isError: false, result: { status: 'accepted' } },
      $length: count,
    });
    await rows('switchboard.inbox', { text: prompt, status: 'done' }).until(
      { $length: count },
      { within: '30s' },
    );
    await quiet();

    check('all-done', await rows('health.sessions', { prompt }), {
      $each: { status: 'done', tool_calls: [{ ...called, ok: true }], error: null },
      $length: count,
    });
    check('one-at-a-time', calls('switchboard -> health', { method: 'tools/call' }), {
      $each: { result: { isError: false, structuredContent: { status: 'done' } } },
      $length: count,
      $overlap: 0,
    });
    check('one-tool-call-each', calls('health -> health', { method: 'tools/call' }), {
      $each: {
        params: called,
        result: { isError: false },
      },
      $length: count,
      $overlap: 0,
    });
    // Eight messages are processed at once, four database connections are kept: the remaining connections are bounded.
    check('switchboard-lets-go', await process('switchboard'), { restarts: 0, fdGrowth: { $lte: 25 } });
    check('health-lets-go', await process('health'), { restarts: 0, fdGrowth: { $lte: 15 } });
  },
);
