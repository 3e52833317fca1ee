/** `npm run demo`: performs some trials on the butlers, then one of them on butlers that make a mistake, which must be found. */
import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

const project = path.resolve(import.meta.dirname, '..');
const butlers = path.join(project, 'examples/butlers');
const trials = ['butlers/headache', 'butlers/two-butlers', 'butlers/duplicate'];
const defect = { name: 'late-write', trial: 'butlers/headache', check: 'stored' };

console.log(
  [
    'A household of AI butlers: PostgreSQL, a migration, a model endpoint, a switchboard, five MCP servers.',
    'They boot for real, messages go in at the front door, and rows, calls and logs are looked at.\n',
  ].join('\n'),
);
await perform(trials, {}, 0);

console.log(
  [
    '\nNow the same household with a mistake: the butlers write their rows a second time, 300 ms after the answer.',
    'Whoever stops looking at the first right row does not see it.\n',
  ].join('\n'),
);
await perform([defect.trial], { DEFECT: defect.name }, 1);
if (!wasFound())
  end(1, '\nThis is not how it should be found; the evidence is in examples/butlers/.shakedown/latest');
end(
  0,
  [
    `\nAs it should be: the mistake is found, because \`${defect.check}\` looks when everything is quiet. All is down; nothing is left.`,
    '  the trial             examples/butlers/trials/headache.trial.yaml',
    `  once more             cd examples/butlers && DEFECT=${defect.name} npx shakedown rerun latest ${defect.trial}`,
    '  what was seen         examples/butlers/.shakedown/latest',
    '  all other mistakes    npm run defects',
  ].join('\n'),
);

/** Ends the demo when it does not go as it should. */
async function perform(
  chosen: readonly string[],
  env: Readonly<Record<string, string>>,
  expected: number,
): Promise<void> {
  const words = ['run', '--parallel', '1', ...chosen];
  const before = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  console.log(`$ ${[...before, 'shakedown', ...words].map(quoted).join(' ')}`);
  const code = await shakedown(words, env);
  if (code === expected) return;
  end(
    code === 0 ? 1 : code,
    `\nIt ended with ${code}, not with ${expected}; the evidence is in examples/butlers/.shakedown/latest`,
  );
}

function shakedown(words: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
  const child = spawn(process.execPath, [path.join(project, 'bin/shakedown.js'), ...words], {
    cwd: butlers,
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  // Ctrl-C reaches the child as well; it takes the environment down, and we wait for that.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

interface Verdict {
  readonly trials: ReadonlyArray<{
    readonly id: string;
    readonly checks: ReadonlyArray<{ readonly id: string; readonly verdict: string }>;
  }>;
  readonly leaks: readonly string[];
}

/** A run that failed for another reason, or left something behind as well, is no success. */
function wasFound(): boolean {
  const { trials: judged, leaks } = newestOf(defect.trial);
  return (
    leaks.length === 0 &&
    judged.some(({ checks }) => checks.some(({ id, verdict }) => id === defect.check && verdict === 'failed'))
  );
}

/** The newest run of this one trial; somebody else may be at work in the same folder. */
function newestOf(trial: string): Verdict {
  const runs = path.join(butlers, '.shakedown/runs');
  const verdicts = readdirSync(runs)
    .sort()
    .reverse()
    .map((run) => path.join(runs, run, 'verdict.json'))
    .filter((file) => existsSync(file))
    .map((file) => JSON.parse(readFileSync(file, 'utf8')) as Verdict);
  const found = verdicts.find(({ trials: [first, second] }) => first?.id === trial && second === undefined);
  if (!found) throw new Error(`there is no run of ${trial} alone`);
  return found;
}

function end(code: number, text: string): never {
  console.log(text);
  process.exit(code);
}

function quoted(word: string): string {
  return /^[\w./=-]+$/.test(word) ? word : `'${word}'`;
}
