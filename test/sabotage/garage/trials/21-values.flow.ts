// biome-ignore-all lint/suspicious/noExplicitAny: by another author, as it was written
import { flow } from 'shakedown';

flow('plain values of the api team', { id: 'flow/values' }, async ({ http, check, trial }) => {
  const garage = http('garage');
  const order = { plate: 'VA-1', spot: 'B1', note: trial.uid };
  const entered = await garage.post<any>('/sessions', { json: order, as: 'entered' });
  const reread = await garage.get<any>(`/sessions/${entered.json.id}`, { as: 'reread' });
  const none = await garage.get<any>('/sessions', { query: { plate: 'NO-BODY' }, as: 'none' });
  const ids = reread.json ? [reread.json.id] : [];

  check('order-plate', order.plate, 'VA-1');
  check('answer-plate', entered.json.plate, order.plate);

  check('uid-shape', trial.uid, { $regex: '^[A-Za-z0-9-]+$' });
  check('uid-kept', reread.json.note, trial.uid);

  check('answered', Boolean(entered), true);
  check('answered-201', entered.status === 201, true);

  check('id-same', entered.json.id, entered.json.id);
  check('id-reread', reread.json.id, entered.json.id);

  check('none-length', none.json.items.length >= 0, true);
  check('none-empty', none.json.items, []);

  let allPaid = true;
  for (const item of none.json.items) allPaid = allPaid && item.feeCents > 0;
  check('all-paid', allPaid, true);
  let held = 0;
  for (const item of [entered.json, reread.json]) if (item.holdId === 'h-1') held += 1;
  check('both-held', held, 2);

  check('no-fault', entered.json.fault?.code ?? null, null);
  check('no-charge-yet', reread.json.chargeId ?? null, null);

  check('status-string', String(reread.json.status), { $type: 'string' });
  check('status-open', String(reread.json.status), 'open');

  check(
    'status-any',
    [200, 201, 204, 400, 401, 403, 404, 409, 422, 500, 502, 503].includes(entered.status),
    true,
  );
  check('status-2xx', [200, 201].includes(entered.status), true);

  check('sorted-ids', [...ids].sort(), [...ids].sort());
  check('ids-listed', ids, [1]);

  const merged = { status: 'open', owner: 'Ada Vogel', ...(entered.json.session ?? {}) };
  check('merged-owner', merged.owner, 'Ada Vogel');
  check('entered-owner', entered.json.owner, 'Ada Vogel');

  check('keys', Object.keys(entered), { $contains: ['status'] });
  check('json-keys', Object.keys(entered.json), { $contains: ['holdId'] });
});
