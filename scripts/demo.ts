/** `npm run demo`: boots the butlers, sends them one message, shows the row that it left, and takes everything down. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const project = path.resolve(import.meta.dirname, '..');
const butlers = path.join(project, 'examples/butlers');
const message = process.argv[2] ?? 'I have a bad headache, severity 7';
// The words in ${…} are filled in by Shakedown once the addresses are known.
const command = [
  'env',
  'DATABASE_URL=${db.url}',
  'SWITCHBOARD_URL=${switchboard.url}',
  'node',
  'send.ts',
  message,
];

console.log(`$ cd examples/butlers\n$ shakedown up -- ${command.map(quoted).join(' ')}\n`);
const exitCode = await run(path.join(project, 'bin/shakedown.js'), 'up', '--', ...command);
console.log(
  exitCode === 0
    ? `\n${ending()}`
    : `\nit ended with ${exitCode}; the evidence is in examples/butlers/.shakedown/latest`,
);
process.exitCode = exitCode;

function run(...words: readonly string[]): Promise<number> {
  const child = spawn(process.execPath, words, { cwd: butlers, stdio: 'inherit' });
  // Ctrl-C reaches the child as well; it takes the environment down, and we wait for that.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code) => resolve(code ?? 1));
  });
}

/** The last thing that the run wrote down. */
function ending(): string {
  const lines = readFileSync(path.join(butlers, '.shakedown/latest/events.ndjson'), 'utf8')
    .trimEnd()
    .split('\n');
  const last = JSON.parse(lines.at(-1) ?? '{}') as { type?: string; leftBehind?: readonly string[] };
  if (last.type !== 'environment.down') throw new Error(`the journal ends with ${last.type ?? 'nothing'}`);
  const left =
    last.leftBehind?.length === 0 ? 'nothing is left' : `left behind: ${last.leftBehind?.join(', ')}`;
  return [
    `Everything is down; ${left}. ${lines.length} lines of evidence: examples/butlers/.shakedown/latest/events.ndjson`,
    'Hold it open and look around: npm run shakedown -- up --config examples/butlers/shakedown.config.ts',
  ].join('\n');
}

function quoted(word: string): string {
  return /^[\w./-]+$/.test(word) ? word : `'${word}'`;
}
