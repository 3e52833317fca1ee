import { createHmac } from 'node:crypto';
import { flow } from 'shakedown';

/** Signed as the messaging service does. */
function signed(event: Record<string, string>) {
  const text = JSON.stringify({ type: 'message', sent_at: Math.floor(Date.now() / 1_000), ...event });
  const signature = `sha256=${createHmac('sha256', 'hook-secret').update(text).digest('hex')}`;
  return { text, headers: { 'content-type': 'application/json', 'x-signature': signature } };
}

flow(
  'of several concurrent callbacks one is sent on, and that of the agent is too late',
  {
    id: 'channel/racing-callbacks',
    covers: ['CH-004'],
    attacks: { boundary: 'agent-callbacks', tier: 2 },
    tags: ['concurrency', 'channel'],
    model: { 'gateway -> alpha': [{ says: 'This is late.', after: '2s' }] },
  },
  async ({ http, calls, together, quiet, check, trial }) => {
    const event = signed({ event_id: trial.uid, from: 'ada', text: 'Hello' });
    const accepted = await http('channel').post<{ request_id: string }>('/webhook', event);
    check('accepted', accepted, { status: 202 });
    const { json } = accepted;
    const asked = await calls('channel -> agent', { path: '/jobs' }).until({ $length: 1 }, { within: '5s' });
    const [job] = asked as readonly { readonly request: { readonly json: { readonly token: string } } }[];
    const headers = { authorization: `Bearer ${job?.request.json.token}` };
    const reply = { request_id: json.request_id, outcome: 'ok', text: 'This was first.' };
    const call = () => http('channel').post(`/callbacks/${json.request_id}`, { headers, json: reply });

    const answers = await together(call, call, call, call);
    await calls('agent -> channel').until({ $length: 1 }, { within: '10s' });
    await quiet();

    check('one-of-four', answers, {
      $unordered: [{ status: 200, json: { sent: true } }, { status: 409 }, { status: 409 }, { status: 409 }],
    });
    check('asked-once', calls('channel -> agent'), [{ path: '/jobs', status: 202 }]);
    check('thought-about-once', calls('agent -> gateway'), [{ status: 200 }]);
    check('agent-too-late', calls('agent -> channel'), [
      { request: { json: { outcome: 'ok', text: 'This is late.' } }, status: 409 },
    ]);
    check('sent-on-once', calls('channel -> messenger'), [
      {
        request: { json: { to: 'ada', text: 'This was first.', request_id: json.request_id } },
        response: { json: { ok: true } },
      },
    ]);
  },
);
