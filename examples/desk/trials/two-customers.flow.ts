import { flow } from 'shakedown';

const names = ['jo', 'kim'];

flow(
  'two tickets of two customers at the same time are not mixed up',
  {
    id: 'desk/two-customers',
    covers: ['ISO-001'],
    tags: ['isolation', 'concurrency'],
    model: {
      worker: names.flatMap((name) => [
        {
          when: { text: `I am ${name}`, turn: 0 },
          calls: { list_orders: { customer: `c-${name}-\${trial.uid}` } },
          expect: { system: { $contains: `c-${name}-\${trial.uid}` } },
        },
        {
          when: { text: `I am ${name}`, turn: 1 },
          after: '300ms', // both are under way at once
          says: `Hello ${name}`,
          expect: {
            result: { json: { orders: [{ id: `o-${name}-\${trial.uid}`, item: `${name}'s kettle` }] } },
          },
        },
      ]),
    },
  },
  async ({ http, rows, calls, together, check, expect, trial }) => {
    const api = http('api');
    for (const name of names) {
      const orders = [{ id: `o-${name}-${trial.uid}`, item: `${name}'s kettle`, amount: 2_500 }];
      const json = { name, email: `${name}-${trial.uid}@example.com`, orders };
      expect(await api.put(`/customers/c-${name}-${trial.uid}`, { json }), { status: 200 });
    }

    const ask = (name: string) => () =>
      api.post<{ id: string }>('/tickets', {
        json: { customer: `c-${name}-${trial.uid}`, subject: 'Hello', text: `I am ${name}` },
      });
    const [jo, kim] = await together(ask('jo'), ask('kim'));
    expect([jo, kim], [{ status: 201 }, { status: 201 }]);
    const tickets = { jo: jo.json.id, kim: kim.json.id };
    for (const ticket_id of Object.values(tickets))
      await rows('api.audit', { ticket_id, event: 'notified' }).until({ $length: 1 });

    for (const [name, id] of Object.entries(tickets)) {
      const customer = `c-${name}-${trial.uid}`;
      check(`${name}-answered`, rows('api.tickets', { id }), [{ customer_id: customer, status: 'answered' }]);
      check(`${name}-reply`, rows('worker.replies', { ticket_id: id }), [{ text: `Hello ${name}` }]);
      check(`${name}-action`, rows('worker.actions', { ticket_id: id }), [
        {
          tool: 'list_orders',
          ok: true,
          arguments: { customer },
          result: { $contains: `o-${name}-${trial.uid}` },
        },
      ]);
      check(
        `${name}-tool`,
        calls('worker -> tools', { method: 'tools/call', params: { _meta: { ticket: id } } }),
        [{ params: { name: 'list_orders', arguments: { customer } }, result: { isError: false } }],
      );
      check(`${name}-notified`, calls('notifier -> mailer', { request: { json: { ticket: id } } }), [
        { request: { json: { to: `${name}-${trial.uid}@example.com`, text: `Hello ${name}` } } },
      ]);
    }
  },
);
