/** A worker: takes orders from the queue and records what was packed. */
import { has } from './defects.ts';
import { openStore } from './resp.ts';

const store = openStore(process.env.STORE_URL ?? '');
console.log('the packer is ready');

for (;;) {
  const [, text = '{}'] = (await store.ask('BLPOP', 'queue', '0')) as readonly string[];
  const { id, item, count } = JSON.parse(text) as { id: string; item: string; count: number };
  if (has('loses-large') && count > 5) continue;
  await store.ask('SET', `order:${id}`, 'packed');
  for (let packed = 0; packed < count; packed += 1) await store.ask('RPUSH', `parcel:${id}`, item);
  if (has('packs-twice')) await store.ask('RPUSH', `parcel:${id}`, item);
}
