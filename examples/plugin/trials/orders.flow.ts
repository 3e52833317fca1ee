/** Two concurrent orders are packed separately; the kinds of the plugin are methods of the flow. */
import { flow, type PluginAct, type PluginLook } from 'shakedown';

declare module 'shakedown' {
  interface PluginMethods {
    resp: PluginAct<{ readonly reply: unknown }>;
    keys: PluginLook<readonly { readonly key: string; readonly type: string; readonly value: unknown }[]>;
  }
}

flow(
  'two orders are packed apart',
  { id: 'two-orders' },
  async ({ http, together, resp, keys, expect, check }) => {
    const shop = http('shop');
    const [tea, cup] = await together(
      () => shop.post<{ id: string }>('/orders', { json: { item: 'tea', count: 1 } }),
      () => shop.post<{ id: string }>('/orders', { json: { item: 'cup', count: 2 } }),
    );
    await keys('store', { match: 'order:*' }).until([{ value: 'packed' }, { value: 'packed' }]);
    const { reply } = await resp('store', { send: ['GET', 'orders'] });
    expect(reply, '2');
    check('tea', keys('store', { match: `parcel:${tea.json.id}` }), [{ value: ['tea'] }]);
    check('cup', keys('store', { match: `parcel:${cup.json.id}` }), [{ value: ['cup', 'cup'] }]);
  },
);
