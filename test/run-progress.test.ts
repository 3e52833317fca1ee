/** On a terminal one line shows the progress of the run; it is erased when the run is over. */
import { expect, test } from 'vitest';
import { needs } from './harness/needs.ts';
import { binary } from './harness/project.ts';
import { runCommand } from './harness/run-command.ts';
import { performTrials, trialsProject } from './harness/trials-project.ts';

const erase = '\r\u001B[K';

test('one live line, with the remaining time where known, is erased at the end', async () => {
  needs('script');
  const step = 'steps: [{ http: GET web/, expect: { status: 200 } }]';
  const project = trialsProject(
    'services:\n  web: { run: [node, services/answers.mjs], listen: { env: PORT } }',
    { a: `settle: 800ms\n${step}`, b: `settle: 800ms\n${step}`, c: step },
  );
  // The durations are known from the previous run.
  const plain = await performTrials(project);
  expect(plain.text).not.toContain('▸');
  const command = `stty columns 90; '${process.execPath}' '${binary}' run --parallel 1`;
  const { stdout: drawn, code } = await runCommand(['script', '-qfec', command, '/dev/null'], {
    cwd: project.folder,
    env: { ...project.env, TERM: 'xterm', CI: undefined },
  });
  expect(code, drawn).toBe(0);
  expect(drawn).toMatch(/▸ 0\/3 {2}passed 0 {2}running a {3}about \d+ s left/);
  expect(drawn).toMatch(/▸ 2\/3 {2}passed 2/);
  const { lines, longest } = screenAfter(drawn);
  expect(longest).toBeLessThan(90);
  expect(lines.filter((line) => line.includes('▸'))).toEqual([]);
  expect(lines.filter((line) => /^✓ [abc] /.test(line))).toHaveLength(3);
});

interface Screen {
  readonly lines: readonly string[];
  /** The widths of the live lines, in characters: a wrapped line could not be erased. */
  readonly longest: number;
}

/** The remaining text, and whether each live line was erased before anything else was printed. */
function screenAfter(drawn: string): Screen {
  const live = [...drawn.matchAll(/▸[^\r\n]*/g)].map(([line]) => [...line].length);
  const lines = drawn.split('\n').map((line) => line.split(erase).at(-1) ?? '');
  return { lines, longest: Math.max(...live) };
}
