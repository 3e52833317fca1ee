/** The command line as a test runner uses it: in a process of its own, which ends when the runner does. */
import { spawn } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { parseExactJson } from '../kernel/exact-json.ts';
import { packageFolder } from '../kernel/own-files.ts';
import { formatProblem, type ProblemData, problemFromData } from '../kernel/problem.ts';

export interface SystemChoice {
  /** Of another config than that of the working folder. */
  readonly config?: string;
}

export type Answer = Readonly<Record<string, unknown>>;

/** `take` gets each line of its output. Its input is a pipe: what waits for that to close ends with us. */
export function startCommand(
  { config }: SystemChoice,
  words: readonly string[],
  take: (line: Answer) => void,
) {
  const [verb = '', ...rest] = words;
  const named = config === undefined ? [] : ['--config', config];
  const argv = [path.join(packageFolder, 'bin/shakedown.js'), verb, '--json', ...named, ...rest];
  const child = spawn(process.execPath, argv, { stdio: 'pipe' });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said += text;
  });
  createInterface({ input: child.stdout }).on('line', (line) => {
    const answer = parseExactJson(line) as Answer;
    if (answer.errors === undefined) return take(answer);
    const problems = (answer.errors as readonly ProblemData[]).map(problemFromData);
    said += `${problems.map(formatProblem).join('\n\n')}\n`;
  });
  return {
    isRunning: (): boolean => child.exitCode === null && child.signalCode === null,
    /** Ends what waits for its input. */
    close: (): void => void child.stdin.end(),
    ended: new Promise<{ code: number | null; said: string }>((resolve, reject) => {
      child.once('error', reject);
      child.once('close', (code) => resolve({ code, said }));
    }),
  };
}

/** The one answer of a verb. */
export async function askCommand(choice: SystemChoice, words: readonly string[]): Promise<Answer> {
  let answer: Answer | undefined;
  const { code, said } = await startCommand(choice, words, (line) => {
    answer = line;
  }).ended;
  if (code === 0 && answer) return answer;
  throw new Error(said || `shakedown ${words.join(' ')} ended with ${code}`);
}
