import { flow } from 'shakedown';

flow(
  'of two orders at once that the account cannot both cover, one is refused',
  { id: 'shop/race' },
  async ({ http, rows, logs, events, calls, process, files, together, quiet, check, trial }) => {
    const shop = http('shop');
    const order = () => shop.post('/orders', { json: { customer: trial.uid, item: 'cake', count: 8 } });
    const answers = await together(order, order);
    const account = await shop.get<{ balance: number; blocks: string[] }>(`/accounts/${trial.uid}`);
    await quiet();
    const where = { customer: trial.uid };

    check('both-vacuous', answers, { $unordered: [{ status: { $gte: 200 } }, { status: { $gte: 200 } }] });
    check('both-strong', answers, { $unordered: [{ status: 201 }, { status: 409 }] });

    check('repeats-repeated', account, { json: { customer: trial.uid } });
    check('repeats-strong', account, { status: 200, json: { balance: 44 } });

    check('blocks-vacuous', account, { json: { blocks: { $each: { $type: 'string' } } } });
    check('blocks-strong', account, { json: { blocks: { $length: 0 } } });

    check(
      'rows-vacuous',
      await rows('shop.orders', where),
      { $each: { $not: { $path: { totals: 0 } } } },
      { provenBy: 'shop/seen' },
    );
    check('rows-strong', await rows('shop.orders', where), [{ total: 56, count: 8 }]);

    check('logs-vacuous', logs('shop'), { $each: { text: { $type: 'string' } } }, { provenBy: 'shop/seen' });
    check('logs-strong', logs('shop', { match: '^WARN refused' }), [{ text: { $contains: 'no-money' } }]);

    check('events-vacuous', events('shop', { file: 'events.jsonl', where }), undefined, {
      count: { $lte: 1_000_000 },
      provenBy: 'shop/seen',
    });
    check('events-strong', events('shop', { file: 'events.jsonl', where }), undefined, { count: 1 });

    check(
      'calls-vacuous',
      calls('shop -> messenger'),
      { $each: { $path: { requst: { $absent: true } } } },
      { provenBy: 'shop/seen' },
    );
    check('calls-strong', calls('shop -> messenger'), [{ request: { json: { to: trial.uid } } }], {
      within: '5s',
    });

    check('alive-vacuous', process('shop'), { running: { $type: 'boolean' } });
    check('alive-strong', process('shop'), { running: true });

    check(
      'files-vacuous',
      files('shop', { path: 'receipts/*.json', where: { path: { $contains: trial.uid } } }),
      { $each: { sha256: { $regex: '' } } },
      { provenBy: 'shop/seen' },
    );
    check(
      'files-strong',
      files('shop', { path: 'receipts/*.json', where: { path: { $contains: trial.uid } } }),
      [{ bytes: { $gt: 10 }, mode: { $type: 'string' } }],
    );
    check('closure-vacuous', () => answers.length === 2 || 'one answer is lacking');
    check('closure-strong', () => answers.some(({ status }) => status === 409) || 'none was refused');
  },
);
