import { flow } from 'shakedown';

flow(
  'what a flow is answered by every driver',
  { id: 'shop/flow-acts' },
  async ({ http, mcp, tcp, command, expect, check, trial }) => {
    const shop = http('shop');
    const placed = await shop.post<{ id: number; total: number }>('/orders', {
      json: { customer: trial.uid, item: 'tea', count: 3 },
      as: 'placed',
    });
    expect(placed, { status: 201 });
    const kept = await shop.get(`/orders/${placed.json.id}`);
    const none = await shop.get('/search', { query: { q: 'no-such-thing' } });
    const quoted = await mcp('tools').call('quote', { item: 'tea', count: 4 });
    const offered = await mcp('tools').list('tools');
    const line = await tcp('desk', { codec: 'newline-json' });
    await line.until({ received: [{ hello: 'desk' }] });
    const added = await line.send({ op: 'add', numbers: [20, 22], tag: trial.uid }, { receive: 1 });
    const printed = await command(['node', '../services/sums-up.mjs', 'greet', 'grace']);

    check('status-vacuous', placed, { status: { $gte: 100 } });
    check('status-strong', placed, { status: 201 });

    check('echo-repeated', placed, { json: { customer: trial.uid, item: 'tea' } });
    check('echo-strong', kept, { json: { customer: trial.uid, item: 'tea' } });

    check('field-vacuous', placed, { json: { errors_list: { $absent: true } } });
    check('field-strong', placed, { json: { error: { $absent: true } } });

    check('half-vacuous', placed, {
      $any: [{ status: 201, json: { total: 12 } }, { status: { $gte: 300 } }],
    });
    check('half-strong', placed, { $all: [{ status: 201 }, { json: { total: 12 } }] });

    check('none-vacuous', none, { json: { hits: { $each: { price: { $gt: 0 } } } } });
    check('none-strong', none, { json: { hits: [] } });

    check('tool-vacuous', quoted, { isError: { $any: [true, false] }, result: {} });
    check('tool-strong', quoted, { isError: false, result: { total: 16 } });

    check('tools-vacuous', offered, { names: { $not: { $contains: 'teleport' } } });
    check('tools-strong', offered, { names: { $contains: 'quote' } });

    check('line-vacuous', added, { received: [{ tag: trial.uid }] });
    check('line-strong', added, { received: [{ sum: 42 }] });

    check('program-vacuous', printed, { json: { name: 'grace' } });
    check('program-strong', printed, { json: { letters: 5 }, exitCode: 0 });
  },
);

flow(
  'what a flow sees of an order',
  { id: 'shop/flow-looks' },
  async ({ http, rows, logs, calls, events, changes, check, trial }) => {
    const where = { customer: trial.uid };
    const provenBy = 'shop/seen';
    await http('shop').post('/orders', { json: { ...where, item: 'tea', count: 3 } });

    check('table-vacuous', rows('shop.orders', where), { $each: { total: { $ne: 'twelve' } } }, { provenBy });
    check('table-strong', rows('shop.orders', where), { $each: { total: { $gt: 0 } } }, { provenBy });

    check('lines-vacuous', logs('shop'), { $each: { text: { $regex: '[^]*' } } }, { provenBy });
    check('lines-strong', logs('shop'), { $some: { text: { $contains: trial.uid } } });

    check(
      'sent-vacuous',
      calls('outside -> shop'),
      { $each: { path: { $startsWith: '/' } } },
      { provenBy: 'shop/own-calls' },
    );
    check(
      'sent-strong',
      calls('outside -> shop'),
      { $each: { status: { $lt: 500 } } },
      { provenBy: 'shop/own-calls' },
    );

    check(
      'told-vacuous',
      events('shop', { file: 'events.jsonl' }),
      { $each: { typo: { $absent: true } } },
      { provenBy },
    );
    check('told-strong', events('shop', { file: 'events.jsonl', where }), [{ type: 'order.placed' }]);

    check('changed-vacuous', changes(['rows']), { $each: { kind: 'row' } });
    check('changed-strong', changes(['rows']), { $each: { op: { $ne: 'deleted' } }, $length: 2 });
  },
);
