// biome-ignore-all lint/suspicious/noExplicitAny: by another author, as it was written
import { flow } from 'shakedown';

const soft = async (work: () => Promise<unknown>) => {
  try {
    await work();
    return 'ok';
  } catch {
    return 'ok';
  }
};
const tell = async (work: () => Promise<unknown>) => {
  try {
    await work();
    return 'ok';
  } catch (error) {
    return String(error);
  }
};

flow('helpers of the legacy team', { id: 'flow/swallow' }, async ({ http, url, rows, check, expect }) => {
  const garage = http('garage');
  const base = url('garage');
  const entered = await garage.post<any>('/sessions', { json: { plate: 'SW-1', spot: 'A2' }, as: 'entered' });
  expect(entered, { status: 201 });

  const fetched = async () => {
    const answer = await fetch(`${base}/sessions/1`);
    const body: any = await answer.json();
    if (body.plate !== 'SW-1') throw new Error('wrong plate');
  };
  check('reads-back', await soft(fetched), 'ok');
  check('reads-back-plate', await tell(fetched), 'ok');

  let reached = false;
  try {
    const body: any = await (await fetch(`${base}/stats`)).json();
    if (body.open !== 1) throw new Error('count');
  } catch {
    // the statistics are not critical
  } finally {
    reached = true;
  }
  check('stats-reached', reached, true);
  const stats: any = await (await fetch(`${base}/stats`)).json();
  check('stats-open', stats.open, 1);

  const spots: any[] = (await fetch(`${base}/spot`).then((answer) =>
    answer.ok ? answer.json() : [],
  )) as any[];
  check('spots-clean', spots.filter((spot) => spot.taken && spot.kind === 'van').length, 0);
  const real: any[] = (await (await fetch(`${base}/spots`)).json()) as any[];
  check('spots-one-taken', real.filter((spot) => spot.taken).length, 1);

  const retry = async (times: number) => {
    for (let n = 0; n < times; n += 1) {
      const answer = await fetch(`${base}/sessions/1`);
      if (answer.ok) return n;
    }
    return 0;
  };
  check('retries', await retry(3), { $lte: 3 });
  const stored = await rows('garage.sessions');
  check('stored-spot', stored, [{ spot: 'A2' }]);
  check('stored-list', Array.isArray(stored), true);
  check('stored-type', typeof stored[0]?.status, { $any: ['string', 'undefined'] });
  check('stored-status', stored[0]?.status ?? 'missing', 'open');

  const expected = process.env.EXPECT_OWNER ? process.env.EXPECT_OWNER : (stored[0] as any).owner;
  check('owner-expected', (stored[0] as any).owner, expected);
  check('owner-registry', (stored[0] as any).owner, 'Ada Vogel');
  const response = await garage.get<any>('/sessions/1', { as: 'again' });
  check('again-equal', { ...response.json }, { ...response.json });
  check('again-entered', response.json, { plate: entered.json.plate, holdId: entered.json.holdId });
});

flow('async closures', { id: 'flow/async' }, async ({ http, check }) => {
  const garage = http('garage');
  const entered = await garage.post<any>('/sessions', { json: { plate: 'AS-1', spot: 'A2' }, as: 'entered' });
  const right = async () => entered.json.spot === 'Z1';
  // @ts-expect-error: a promise is always there, which is the point
  check('spot-async', () => (right() ? true : 'wrong spot'));
  check('spot-promise', !!right(), true);
  check('spot-sync', () => entered.json.spot === 'A2');
});
