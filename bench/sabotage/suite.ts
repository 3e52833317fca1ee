/** A suite whose run is sabotaged: trials of one request each, with the checks that people write about an answer. */
import { cpSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

export function writeSuite(folder: string, trials: number): void {
  mkdirSync(path.join(folder, 'trials'), { recursive: true });
  cpSync(path.join(import.meta.dirname, 'keeps-orders.mjs'), path.join(folder, 'keeps-orders.mjs'));
  writeFileSync(path.join(folder, 'shakedown.yaml'), config);
  for (let n = 1; n <= trials; n += 1)
    writeFileSync(path.join(folder, 'trials', `order-${n}.trial.yaml`), trial(n));
}

const config = `name: orders
isolation: shared
settle: 1ms
services:
  shop: { run: [node, keeps-orders.mjs], listen: { env: PORT }, ready: { http: /orders/0 } }
`;

function trial(n: number): string {
  return `id: orders/order-${n}
steps:
  - http: GET shop/orders/${n}
    as: order
    expect: { status: 200 }
checks:
  placed: { exchange: order, expect: { json: { status: placed, warnings: [], note: null } } }
  total: { exchange: order, expect: { json: { total: { $between: [900, 950] }, customer: { name: Ada } } } }
  lines:
    exchange: order
    expect: { json: { lines: { $length: 12, $each: { sku: { $regex: "^tea-" }, price: { $gt: 4 }, taxes: [{ name: vat }] } } } }
  first: { exchange: order, expect: { json: { lines: { $contains: { sku: tea-0, count: 1 } } } } }
  asked: { calls: outside -> shop, expect: [{ status: 200, response: { json: { customer: { tags: { $unordered: [invoice, regular] } } } } }] }
  logged: { logs: shop, expect: [{ text: INFO order ${n} was asked for }] }
  well: { process: shop, expect: { running: true, restarts: 0 } }
`;
}
