/** `npm run flips [count]`: flips bits of stored green and red journals of every kind, and cuts them at every line; no verdict may get better, nothing may crash. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createRandom } from '../src/kernel/random.ts';
import { cutJournals } from '../test/flips/cut-journals.ts';
import { performEveryKind } from '../test/flips/every-kind.ts';
import { flipBits } from '../test/flips/flip-bits.ts';

const count = Number(process.argv[2] ?? 20_000);
const folder = mkdtempSync(path.join(tmpdir(), 'flips-'));
try {
  const random = createRandom(process.env.SEED ?? 'flips');
  const run = await performEveryKind(folder);
  const shown = await flipBits(run, count, () => random.next());
  const cut = await cutJournals(run);
  for (const place of [...shown.better, ...cut.better]) console.log(`better  ${place}`);
  for (const place of shown.crashed) console.log(`crashed ${place}`);
  console.log(JSON.stringify({ ...shown, ...cut, better: [...shown.better, ...cut.better] }));
  process.exitCode = shown.better.length + shown.crashed.length + cut.better.length > 0 ? 1 : 0;
} finally {
  rmSync(folder, { recursive: true });
}
