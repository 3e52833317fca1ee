/** `npm run flips [count]`: flips bits of stored green and red journals of every kind; no verdict may get better, nothing may crash. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRandom } from '../src/kernel/random.ts';
import { performEveryKind } from '../test/flips/every-kind.ts';
import { flipBits } from '../test/flips/flip-bits.ts';

const count = Number(process.argv[2] ?? 20_000);
const folder = mkdtempSync(path.join(tmpdir(), 'flips-'));
try {
  const random = createRandom(process.env.SEED ?? 'flips');
  const shown = await flipBits(await performEveryKind(folder), count, () => random.next());
  for (const place of shown.better) console.log(`better  ${place}`);
  for (const place of shown.crashed) console.log(`crashed ${place}`);
  console.log(JSON.stringify(shown));
  process.exitCode = shown.better.length + shown.crashed.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}
