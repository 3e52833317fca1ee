/** `npm run bench -- <name>`: runs one bench, prints its table, and as last line one JSON object; exit 1 when an aim is missed. */
import { readdir } from 'node:fs/promises';
import { parseArgs } from 'node:util';

/** What the default work of a bench gives back. An aim on a ratio that could not be measured is left out by the bench. */
export interface BenchResult {
  /** For people. */
  readonly table: string;
  readonly ratios: Readonly<Record<string, number>>;
  readonly aims: Readonly<Record<string, Aim>>;
  /** Peers that are not installed, each as `name: command that installs it`. */
  readonly peersAbsent: readonly string[];
}

export type Aim = { readonly atMost: number } | { readonly atLeast: number };

const notBenches = ['run.ts', 'side-by-side.ts'];

const { positionals } = parseArgs({ allowPositionals: true });
const names = await benchNames();
const name = positionals[0];
if (name === undefined || !names.includes(name)) {
  console.error(
    `${name === undefined ? 'which bench?' : `there is no bench ${name}.`} The benches are: ${names.join(', ')}`,
  );
  process.exitCode = 2;
} else {
  await run(name);
}

async function benchNames(): Promise<readonly string[]> {
  const files = await readdir(import.meta.dirname);
  return files
    .filter((file) => file.endsWith('.ts') && !notBenches.includes(file))
    .map((file) => file.slice(0, -3))
    .sort();
}

async function run(bench: string): Promise<void> {
  const module = (await import(`./${bench}.ts`)) as { bench: () => Promise<BenchResult> };
  const { table, ratios, aims, peersAbsent } = await module.bench();
  const missed = Object.entries(aims).filter(([aim, wanted]) => !isMet(ratios[aim], wanted));
  console.log(`${table}\n`);
  for (const [ratio, value] of Object.entries(ratios))
    console.log(`${ratio}: ${value.toFixed(3)}${aimText(aims[ratio])}`);
  for (const peer of peersAbsent) console.log(`not compared, because it is not installed: ${peer}`);
  for (const [aim] of missed) console.log(`missed: ${aim}`);
  console.log(
    JSON.stringify({ bench, ratios: rounded(ratios), aims, peersAbsent, met: missed.length === 0 }),
  );
  process.exitCode = missed.length === 0 ? 0 : 1;
}

function isMet(ratio: number | undefined, aim: Aim): boolean {
  if (ratio === undefined) return false;
  return 'atMost' in aim ? ratio <= aim.atMost : ratio >= aim.atLeast;
}

function aimText(aim: Aim | undefined): string {
  if (aim === undefined) return '';
  return 'atMost' in aim ? ` (aim: at most ${aim.atMost})` : ` (aim: at least ${aim.atLeast})`;
}

function rounded(ratios: BenchResult['ratios']): Record<string, number> {
  return Object.fromEntries(Object.entries(ratios).map(([name, value]) => [name, Number(value.toFixed(3))]));
}
