/** `npm run defects`: performs every defect of every example, and the healthy systems; each defect must turn its suite red. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const project = path.resolve(import.meta.dirname, '..');
const examples = ['daemon', 'butlers'];
const healthyRounds = Number(process.env.HEALTHY_RUNS ?? 2);
const [only] = process.argv.slice(2);

interface Ended {
  readonly code: number;
  readonly verdict:
    | { readonly reasons: ReadonlyArray<{ readonly text: string; readonly exitCode: number }> }
    | undefined;
  readonly seconds: number;
}

const missed: string[] = [];
let defects = 0;
let caught = 0;
let healthyRuns = 0;
let falseAlarms = 0;

for (const example of examples.filter(
  (name) => only === undefined || only === name || only.startsWith(`${name}/`),
)) {
  const names = await defectsOf(example);
  const chosen = names.filter(
    (name) => only === undefined || only === example || only === `${example}/${name}`,
  );
  if (chosen.length === names.length) await performHealthy(example);
  for (const name of chosen) await performDefect(example, name);
}

console.log(
  JSON.stringify({ defects, caught, blamedRight: 0, blamedWrong: 0, healthyRuns, falseAlarms, missed }),
);
process.exitCode = missed.length > 0 || falseAlarms > 0 ? 1 : 0;

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
async function performDefect(example: string, name: string): Promise<void> {
  defects += 1;
  const { code, verdict, seconds } = await run(example, { DEFECT: name }, '--bail');
  const reason = verdict?.reasons.find(({ exitCode }) => exitCode === code)?.text ?? `exit code ${code}`;
  const isCaught = code === 1 || (code === 3 && verdict !== undefined);
  if (isCaught) caught += 1;
  else missed.push(`${example}/${name}`);
  console.log(`${isCaught ? '✓' : '✗'} ${example}/${name}  ${seconds.toFixed(1)} s  ${short(reason)}`);
}

async function defectsOf(example: string): Promise<readonly string[]> {
  const file = path.join(project, 'examples', example, 'src/defects.ts');
  const { defects: listed } = (await import(pathToFileURL(file).href)) as {
    defects: Record<string, unknown> | readonly { name: string }[];
  };
  return Array.isArray(listed) ? listed.map(({ name }) => name) : Object.keys(listed);
}

function run(example: string, env: Record<string, string>, ...options: readonly string[]): Promise<Ended> {
  const startedAt = performance.now();
  const child = spawn(
    process.execPath,
    [path.join(project, 'bin/shakedown.js'), 'run', '--json', ...options],
    {
      cwd: path.join(project, 'examples', example),
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

function short(text: string): string {
  return text.length > 140 ? `${text.slice(0, 139)}…` : text;
}
