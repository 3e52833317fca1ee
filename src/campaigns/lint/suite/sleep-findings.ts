/** Waits for a fixed time: too long on a good day, too short on a bad one, and they hide what is really waited for. */
import type { LintFinding } from '../../../checks/lint-finding.ts';
import { baseId } from '../place-of-part.ts';
import type { Allowances } from './allowances.ts';
import type { SuiteCommand } from './suite-commands.ts';
import type { SuiteModule } from './suite-modules.ts';

export function sleepFindings(
  modules: readonly SuiteModule[],
  commands: readonly SuiteCommand[],
  allowances: Allowances,
): readonly LintFinding[] {
  return [...modules.flatMap(inModule), ...commands.flatMap(inCommand)].filter(
    ({ file }) => !allowances.sleeps(file),
  );
}

const sleepingCalls =
  /^(?:.*\.)?(?:setTimeout|sleep|usleep|sleepSync|scheduler\.wait|Atomics\.wait|Bun\.sleep|Deno\.sleep)$/;

function inModule({ shown, scan, flows: [flow] }: SuiteModule): readonly LintFinding[] {
  return scan.calls
    .filter(({ callee }) => sleepingCalls.test(callee))
    .map(({ callee, line }) => ({
      ...(flow ? { trial: baseId(flow) } : {}),
      file: shown,
      line,
      text: `it waits for a fixed time, with \`${callee}\``,
      ...rest,
      next: 'wait for what is meant: `rows(…).until(…)`, `calls(…).until(…)`, `quiet()`, or a check with `within`',
    }));
}

const sleepingText =
  /(?:^|[\s;&|('"`{])sleep\s+["']?(?:\d|\.\d|\$)|\btime\.sleep\s*\(|\bStart-Sleep\b|\bsetTimeout\s*\(|\busleep\s+\d/;

/** A program that stays does not keep the trial waiting. */
function inCommand({ trial, place, argv, text, stays }: SuiteCommand): readonly LintFinding[] {
  const [program = ''] = argv;
  if (stays || !(/(?:^|\/)sleep$/.test(program) || sleepingText.test(text))) return [];
  return [
    {
      trial: baseId(trial),
      ...place,
      text: `the step waits for a fixed time: \`${argv.join(' ').slice(0, 100)}\``,
      ...rest,
      next: 'wait for what is meant: an `until:` step, `when:` on the next step, `quiet: true`, or a check with `within`',
    },
  ];
}

const rest = {
  kind: 'sleep',
  level: 'finding',
  why: 'a fixed wait is too short on a slow machine, too long on a fast one, and does not say what is waited for',
} as const;
