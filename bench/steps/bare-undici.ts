/** The least that anybody can do: the same requests and comparisons with nothing but undici; prints the milliseconds. */
import { Client } from 'undici';

const [url = '', count = '0'] = process.argv.slice(2);
const client = new Client(url);
const startedAt = performance.now();
for (let n = 0; n < Number(count); n += 1) {
  const { statusCode, headers, body } = await client.request({ path: `/n/${n}`, method: 'GET' });
  const json = (await body.json()) as { n: number };
  const holds = statusCode === 200 && json.n === n && headers['content-type'] === 'application/json';
  if (!holds) throw new Error(`step ${n} does not hold`);
}
console.log(performance.now() - startedAt);
await client.close();
