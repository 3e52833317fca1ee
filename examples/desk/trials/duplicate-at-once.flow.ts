import { flow } from 'shakedown';

flow(
  'a ticket that is sent twice in the same moment is one ticket, with one reply',
  {
    id: 'desk/duplicate-at-once',
    covers: ['TIC-003'],
    tags: ['idempotency', 'concurrency'],
    model: { worker: [{ says: 'It comes on Friday.' }] },
  },
  async ({ http, rows, calls, together, quiet, check, expect, trial }) => {
    const api = http('api');
    const customer = `c-ida-${trial.uid}`;
    const known = await api.put(`/customers/${customer}`, {
      json: { name: 'ida', email: `ida-${trial.uid}@example.com` },
    });
    expect(known, { status: 200 });

    const json = { customer, subject: 'Lamp', text: 'When does it come?' };
    const send = () =>
      api.post<{ id: string }>('/tickets', { json, headers: { 'idempotency-key': trial.uid } });
    const answers = await together(send, send);
    await rows('api.tickets', { customer_id: customer, status: 'answered' }).until({ $length: 1 });
    await quiet(); // a second job would be done by now

    check('one-of-each', answers, {
      $unordered: [
        { status: 201, json: { duplicate: false } },
        { status: 200, json: { duplicate: true } },
      ],
    });
    const [{ json: ticket }] = answers; // both name the same one
    check('one-ticket', await rows('api.tickets', { customer_id: customer }), [
      { id: ticket.id, status: 'answered' },
    ]);
    check('one-reply', await rows('worker.replies', { ticket_id: ticket.id }), [
      { author: 'desk', text: 'It comes on Friday.' },
    ]);
    check('queued-once', calls('api -> redis', { method: 'XADD', path: 'jobs' }), [
      { params: { $contains: ticket.id } },
    ]);
    check('notified-once', calls('notifier -> mailer'), [
      { status: 202, request: { json: { to: `ida-${trial.uid}@example.com`, ticket: ticket.id } } },
    ]);
  },
);
