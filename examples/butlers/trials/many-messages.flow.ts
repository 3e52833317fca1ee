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
    const prompt = `I have a cough, severity 1 (${trial.uid})`;
    for (let index = 0; index < count; index += 1) {
      await mcp('switchboard').call('ingest', {
        event_id: `${trial.uid}-${index}`,
        channel: 'api',
        text: prompt,
      });
    }
    await rows('switchboard.inbox', { text: prompt, status: 'done' }).until(
      { $length: count },
      { within: '30s' },
    );
    await quiet();

    check('all-done', await rows('health.sessions', { prompt, status: 'done' }), { $length: count });
    check('one-at-a-time', calls('switchboard -> health', { method: 'tools/call' }), {
      $length: count,
      $overlap: 0,
    });
    check('one-tool-call-each', calls('health -> health', { method: 'tools/call' }), {
      $length: count,
      $overlap: 0,
    });
    // Eight messages are thought about at once, four connections to the database are kept: what stays is bounded.
    check('switchboard-lets-go', await process('switchboard'), { restarts: 0, fdGrowth: { $lte: 25 } });
    check('health-lets-go', await process('health'), { restarts: 0, fdGrowth: { $lte: 15 } });
  },
);
