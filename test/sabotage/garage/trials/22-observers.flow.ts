// biome-ignore-all lint/suspicious/noExplicitAny: by another author, as it was written
import { flow } from 'shakedown';

flow(
  'observers, by the data team',
  { id: 'flow/observers' },
  async ({ http, rows, logs, calls, events, files, process, changes, check, quiet }) => {
    const garage = http('garage');
    const entered = await garage.post<any>('/sessions', {
      json: { plate: 'OB-1', spot: 'E1' },
      as: 'entered',
    });
    await garage.post(`/sessions/${entered.json.id}/exit`, { json: { minutes: 200 }, as: 'exited' });
    await quiet();

    const closed = await rows('garage.sessions', { status: 'closed' }).until([{ status: 'closed' }], {
      within: '5s',
    });
    check('closed-again', closed, [{ status: 'closed' }]);
    check('closed-fee', closed, [{ fee_cents: 800 }]);

    check(
      'row-present',
      rows('garage.sessions', { plate: 'OB-1' }),
      { $length: { $lte: 1 } },
      { provenBy: 'data/stored' },
    );
    check('row-one', rows('garage.sessions', { plate: 'OB-1' }), { $length: 1 });

    check('no-ghost', rows('garage.sessions', { plate: 'OB-1 ' }), [], { provenBy: 'data/stored' });
    check('no-open-left', rows('garage.sessions', { status: 'open' }), [], { provenBy: 'data/stored' });

    check('log-lines', (await logs('garage')).length, { $gte: 1 });
    check('log-exit', logs('garage', { match: 'exited session=1 fee=800' }), { $length: 1 });

    check('no-refunds', calls('garage -> till', { path: '/refund' }), [], { provenBy: 'pay/downstream' });
    check('no-releases', calls('garage -> till', { method: 'DELETE' }), [], { provenBy: 'pay/cancel' });

    check(
      'till-talk',
      calls('garage -> till'),
      { $each: { protocol: { $type: 'string' } } },
      { provenBy: 'pay/downstream' },
    );
    check('till-cents', calls('garage -> till'), [
      { request: { json: { cents: 500 } } },
      { request: { json: { cents: 800 } } },
    ]);

    check(
      'audit-never-failed',
      events('garage', { file: 'audit.jsonl' }),
      { $some: { type: 'FAILED' } },
      { never: true, provenBy: 'ops/audit' },
    );
    check(
      'audit-never-cancelled',
      events('garage', { file: 'audit.jsonl' }),
      { $some: { type: 'cancelled' } },
      { never: true, provenBy: 'ops/audit' },
    );

    check(
      'receipt-files',
      files('garage', { path: 'receipts/*' }),
      { $each: { path: { $startsWith: 'receipts/' } } },
      { provenBy: 'data/exit-stored' },
    );
    check('receipt-pair', files('garage', { path: 'receipts/*' }), { $length: 2 });

    check('memory', process('garage'), { rss: { $gt: 0 } });
    check('descriptors', process('garage'), { fdGrowth: { $lte: 50 } });

    check('changed-rows', changes(['rows']), { $each: { kind: 'row' } });
    check('changed-session', changes(['rows']), { $some: { table: 'sessions', op: 'inserted' } });

    check('seed-levels', rows('garage.spots', { level: 0 }), { $length: 2 });
    check('spots-free', rows('garage.spots', { taken: false }), { $length: 4 });
  },
);
