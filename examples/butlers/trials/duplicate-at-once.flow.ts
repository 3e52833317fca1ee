import { flow } from 'shakedown';

flow(
  'a message delivered twice at the same moment is acted on once',
  {
    id: 'butlers/duplicate-at-once',
    covers: ['MSG-003'],
    tags: ['idempotency', 'concurrency'],
    isolation: 'shared',
    model: './duplicate.trial.yaml', // the same script
  },
  async ({ mcp, rows, calls, together, quiet, check, trial }) => {
    const message = { event_id: trial.uid, channel: 'api', text: `Note: ${trial.uid}` };
    const deliver = () => mcp('switchboard').call<{ session: string }>('ingest', message);

    const answers = await together(deliver, deliver); // released by one barrier
    await rows('general.notes', { text: trial.uid }).until([{ text: trial.uid }], { within: '10s' });
    await quiet(); // a second effect would be visible by now

    check('one-of-each', answers, {
      $unordered: [
        { isError: false, result: { status: 'accepted' } },
        { isError: false, result: { status: 'duplicate' } },
      ],
    });
    const [{ result }] = answers; // both name the session of the first
    check('one-note', await rows('general.notes', { text: trial.uid }), [{ session: result.session }]);
    check('one-session', await rows('general.sessions', { event_id: trial.uid }), [
      { id: result.session, status: 'done', tool_calls: [{ name: 'note_add', ok: true }], error: null },
    ]);
    check('one-message', await rows('switchboard.inbox', { text: message.text }), [
      { status: 'done', error: null },
    ]);
    check('no-extra-model-call', calls('* -> model'), { $length: 4 });
    check('handed-over-once', calls('switchboard -> general', { method: 'tools/call' }), [
      { result: { isError: false, structuredContent: { status: 'done' } } },
    ]);
    check('tool-called-once', calls('general -> general', { method: 'tools/call' }), [
      { params: { name: 'note_add' }, result: { isError: false } },
    ]);
  },
);
