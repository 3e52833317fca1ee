/**
 * `npm run defects [-- EXAMPLE or EXAMPLE/DEFECT] [--every N]`: performs every defect of every example, and the healthy
 * systems; each defect must turn its suite red. With `--every`, each Nth defect of an example, and the healthy ones once.
 */
import { spawn, spawnSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';

const project = path.resolve(import.meta.dirname, '..');
const examples = ['daemon', 'butlers', 'gateway', 'catalogue', 'desk', 'compose'];
/** Only when it is asked for, because it takes minutes: the digest in containers; as `compose`, it needs none. */
const containers = 'compose-containers';
const { values, positionals } = parseArgs({
  options: { every: { type: 'string', default: '1' } },
  allowPositionals: true,
});
const [only] = positionals;
const every = Number(values.every);
if (!(Number.isInteger(every) && every > 0))
  throw new Error(`--every ${values.every} is not a number from 1`);
const healthyRounds = Number(process.env.HEALTHY_RUNS ?? (every > 1 ? 1 : 3));
/** So many of the defects that are caught must be blamed on the right party, where noise is known; none on a wrong one. */
const leastRight = 0.8;
const enoughRounds = 3;

interface Ended {
  readonly code: number;
  readonly verdict:
    | {
        readonly reasons: ReadonlyArray<{ readonly text: string; readonly exitCode: number }>;
        readonly trials: ReadonlyArray<{
          readonly id: string;
          readonly verdict: string;
          readonly blame: {
            readonly party: string | null;
            readonly suspect?: string;
            readonly because: string;
          } | null;
        }>;
      }
    | undefined;
  readonly seconds: number;
}

const missed: string[] = [];
let defects = 0;
let caught = 0;
let blamedRight = 0;
let blamedWrong = 0;
let suspectedRight = 0;
let suspectedWrong = 0;
let healthyRuns = 0;
let falseAlarms = 0;

for (const example of [...examples, containers].filter((name) =>
  only === undefined ? name !== containers : only === name || only.startsWith(`${name}/`),
)) {
  const lack = lackFor(example);
  if (lack !== undefined) {
    console.log(`- ${example} is skipped: ${lack}`);
    if (process.env.SHAKEDOWN_TEST_POLICY === 'no-skips') missed.push(example);
    continue;
  }
  const blamed = await defectsOf(example);
  const names = [...blamed.keys()];
  const chosen = names.filter(
    (name) => only === undefined || only === example || only === `${example}/${name}`,
  );
  if (chosen.length === names.length) await performHealthy(example);
  for (const name of chosen.filter((_, index) => index % every === 0))
    await performDefect(example, name, blamed.get(name) ?? []);
}

const isEnoughRight = healthyRounds < enoughRounds || blamedRight >= leastRight * caught;
const isBlameGood = blamedWrong === 0 && isEnoughRight;
const blames = { blamedRight, blamedWrong, suspectedRight, suspectedWrong };
console.log(JSON.stringify({ defects, caught, ...blames, healthyRuns, falseAlarms, missed }));
process.exitCode = missed.length > 0 || falseAlarms > 0 || !isBlameGood ? 1 : 0;

/** What the machine does not have; undefined where nothing is missing. */
function lackFor(example: string): string | undefined {
  if (!['desk', 'compose', containers].includes(example)) return undefined;
  const ends = (file: string, ...words: readonly string[]): boolean =>
    spawnSync(file, words, { stdio: 'ignore' }).status === 0;
  if (example === containers)
    return ends(path.join(folderOf(example), 'images.sh'))
      ? undefined
      : 'its images cannot be made; examples/compose/images.sh says why';
  if (!ends('redis-server', '--version')) return 'there is no redis-server; apt-get install redis-server';
  return ends(path.join(project, 'examples/desk/bin/python'), '-c', '')
    ? undefined
    : 'no Python has psycopg and redis; apt-get install python3-psycopg python3-redis';
}

function folderOf(example: string): string {
  return path.join(project, 'examples', example === containers ? 'compose' : example);
}

async function performHealthy(example: string): Promise<void> {
  const { code, verdict, seconds } = await run(example, {}, '--shuffle', '--repeat', String(healthyRounds));
  healthyRuns += healthyRounds;
  if (code === 0) {
    console.log(`✓ ${example}, healthy, ${healthyRounds} times, shuffled  ${seconds.toFixed(1)} s`);
    return;
  }
  falseAlarms += 1;
  console.log(`✗ ${example}, healthy: exit code ${code}  ${seconds.toFixed(1)} s`);
  for (const { text } of verdict?.reasons ?? []) console.log(`    ${text}`);
}

/** Caught is a system that failed: a suite that merely could not be performed has caught nothing. */
async function performDefect(example: string, name: string, guilty: readonly string[]): Promise<void> {
  defects += 1;
  const { code, verdict, seconds } = await run(example, { DEFECT: name }, '--bail');
  const reason = verdict?.reasons.find(({ exitCode }) => exitCode === code)?.text ?? `exit code ${code}`;
  const isCaught = code === 1 || (code === 3 && verdict !== undefined);
  if (isCaught) caught += 1;
  else missed.push(`${example}/${name}`);
  console.log(`${isCaught ? '✓' : '✗'} ${example}/${name}  ${seconds.toFixed(1)} s  ${short(reason)}`);
  if (isCaught) console.log(`    ${judgeBlame(verdict, guilty)}`);
}

/** The first failure is the one that people read; a party that is named must be one of the guilty. */
function judgeBlame(verdict: Ended['verdict'], guilty: readonly string[]): string {
  const failed = verdict?.trials.filter((trial) => trial.verdict === 'failed') ?? [];
  const named = failed.flatMap(({ blame }) =>
    blame?.party ? [{ party: blame.party, because: blame.because }] : [],
  );
  const wrong = named.find(({ party }) => !guilty.includes(party));
  if (wrong) {
    blamedWrong += 1;
    return `blamed WRONG: ${wrong.party}, not ${guilty.join(' or ') || 'anybody'}: ${short(wrong.because)}`;
  }
  const [right] = named;
  if (!right) return judgeSuspect(failed, guilty);
  blamedRight += 1;
  return `blamed right: ${right.party}: ${short(right.because)}`;
}

/** Where nobody is proven: the first suspect. */
function judgeSuspect(failed: readonly Failed[], guilty: readonly string[]): string {
  const { suspect, because = 'there is no failed trial' } =
    failed.find(({ blame }) => blame?.suspect)?.blame ?? failed[0]?.blame ?? {};
  if (suspect === undefined) return `blamed nobody: ${short(because)}`;
  const isRight = guilty.includes(suspect);
  if (isRight) suspectedRight += 1;
  else suspectedWrong += 1;
  return `suspected ${isRight ? 'right' : 'WRONG'}: ${suspect}: ${short(because)}`;
}

type Failed = NonNullable<Ended['verdict']>['trials'][number];

/** Name to the parties that may be blamed for it. */
async function defectsOf(example: string): Promise<ReadonlyMap<string, readonly string[]>> {
  const file = path.join(folderOf(example), 'src/defects.ts');
  const { defects: listed } = (await import(pathToFileURL(file).href)) as {
    defects: Record<string, Blamed> | readonly (Blamed & { name: string })[];
  };
  const entries = Array.isArray(listed)
    ? listed.map((defect): [string, Blamed] => [defect.name, defect])
    : Object.entries(listed);
  return new Map(entries.map(([name, { blame, guilty }]) => [name, [blame ?? guilty ?? []].flat()]));
}

interface Blamed {
  readonly blame?: string | readonly string[] | null;
  readonly guilty?: string;
}

function run(example: string, env: Record<string, string>, ...options: readonly string[]): Promise<Ended> {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [path.join(project, 'bin/shakedown.js'), 'run', '--json', ...configOf(example), ...options],
    {
      cwd: folderOf(example),
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const last = printed.trimEnd().split('\n').at(-1) ?? '';
      const parsed = last.startsWith('{"schemaVersion"') ? (JSON.parse(last) as Ended['verdict']) : undefined;
      resolve({ code: code ?? 70, verdict: parsed, seconds: (performance.now() - startedAt) / 1_000 });
    });
  });
}

function configOf(example: string): readonly string[] {
  return example === 'compose' ? ['--config', 'replaced.config.ts'] : [];
}

function short(text: string): string {
  return text.length > 140 ? `${text.slice(0, 139)}…` : text;
}
