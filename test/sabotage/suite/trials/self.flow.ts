import { flow } from 'shakedown';

interface Order {
  readonly id: number;
  readonly total: number;
  readonly balance: number;
  readonly lines: readonly { readonly price: number }[];
}

flow(
  'what is compared with itself, beside what is compared with something else',
  { id: 'shop/flow-itself' },
  async ({ http, rows, logs, check, trial }) => {
    const shop = http('shop');
    const where = { customer: trial.uid };
    const placed = await shop.post<Order>('/orders', { json: { ...where, item: 'tea', count: 2 } });
    const kept = await shop.get<Order>(`/orders/${placed.json.id}`);
    const { total, lines } = placed.json;
    const copy = structuredClone(placed.json);
    const stored = await rows<{ total: number }>('shop.orders', where);
    const seen = stored.map((row) => row.total);

    check('itself-vacuous', placed, { json: { total } });
    check('itself-strong', kept, { json: { total } });

    check('same-value-vacuous', placed.json.total, placed.json.total);
    check('same-value-strong', placed.json.total, kept.json.total);

    check('clone-vacuous', placed.json, copy);
    check('clone-strong', kept.json, { total: copy.total, id: copy.id });

    check('observed-vacuous', stored, stored);
    check('observed-strong', stored, [{ total }]);

    check('own-rows-vacuous', seen, [...seen]);
    check('own-rows-strong', seen, [8]);

    check('own-length-vacuous', lines, { $length: lines.length });
    check('own-length-strong', lines, { $length: stored.length });

    check('computed-vacuous', total === placed.json.total, true);
    check('computed-strong', total === kept.json.total, true);

    check('always-vacuous', lines.length >= 0, true);
    check('always-strong', lines.length > 0, true);

    check('again-vacuous', rows('shop.orders', where), await rows('shop.orders', where));
    check('again-strong', rows('shop.orders', where), [{ total: 8, item: 'tea' }]);

    check('logged-strong', logs('shop', { match: 'INFO order' }), [{ text: { $contains: String(total) } }]);
    check('logged-vacuous', placed.json.balance - placed.json.balance, 0);
  },
);
