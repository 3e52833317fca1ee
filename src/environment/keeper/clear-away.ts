/** The way down: stops everything, ends strays, takes secrets out of logs, removes the workspace, and names what is left. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { StopCause } from '../../journal/event.ts';
import { redactFile } from '../../journal/redact-file.ts';
import type { Redactor } from '../../journal/redaction.ts';
import type { JournalWriter } from '../../journal/writer.ts';
import type { Clock } from '../../kernel/clock.ts';
import { type ProblemData, problemsIn, problemToData } from '../../kernel/problem.ts';
import { type Ledger, readLedger, runningCommands } from '../containment/ledger.ts';
import type { Environment } from '../environment.ts';
import type { Plan } from '../plan.ts';
import { worldProblem } from '../processes/world-problem.ts';
import { removeTree } from '../remove-tree.ts';
import { endStrays } from '../strays.ts';
import { releaseUpLock } from '../up-lock.ts';
import type { DownResult } from './messages.ts';

export interface ClearAwayOptions {
  readonly plan: Plan;
  readonly clock: Clock;
  readonly environment: Environment;
  readonly journal: JournalWriter;
  readonly ledger: Ledger;
  readonly redactor: Redactor;
  readonly cause: StopCause;
  readonly because: string;
  readonly hurry: boolean;
  /** What made it necessary, when that was an error. */
  readonly errors: readonly unknown[];
}

export async function clearAway(options: ClearAwayOptions): Promise<DownResult> {
  const { plan, clock, environment, journal, ledger, cause, because, hurry } = options;
  const problems: ProblemData[] = options.errors.flatMap(problemsIn).map(problemToData);
  const leftBehind: string[] = [];
  const attempt = async (step: string, work: () => Promise<void>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      for (const problem of problemsIn(worldProblem(error, `teardown, ${step}`)).map(problemToData)) {
        problems.push(problem);
        journal.emit({ type: 'teardown.failed', step, problem });
      }
    }
  };
  if (problems.length > 0) journal.emit({ type: 'environment.failed', problems: [...problems] });
  journal.emit({ type: 'environment.stopping', cause, because });
  for (const { step, problem } of await environment.stop({ hurry })) {
    problems.push(problemToData(problem));
    journal.emit({ type: 'teardown.failed', step, problem: problemToData(problem) });
  }
  await attempt('strays', async () => {
    const strays = await endStrays({ ...plan, clock, alone: plan.containment === 'namespace' });
    for (const commandLine of strays.found) journal.emit({ type: 'stray.ended', commandLine });
    leftBehind.push(...strays.left);
  });
  await attempt('logs', () => redactLogs(plan, options.redactor));
  const commandRuns = runningCommands(readLedger(plan.workspace)).length > 0;
  ledger.close();
  await attempt('lock', async () => releaseUpLock(plan.system.folder, plan.run));
  // A command of the user's runs outside of our reach: the guard ends it, and needs the ledger for that.
  if (!commandRuns) await attempt('workspace', () => removeTree(plan.workspace, 'ledger.ndjson'));
  if (!commandRuns && existsSync(plan.workspace)) leftBehind.push(`folder ${plan.workspace}`);
  journal.emit({ type: 'environment.down', leftBehind });
  return { leftBehind, problems };
}

async function redactLogs(plan: Plan, redactor: Redactor): Promise<void> {
  const folder = path.join(plan.runFolder, 'services');
  if (!existsSync(folder)) return;
  await Promise.all(readdirSync(folder).map((name) => redactFile(path.join(folder, name), redactor)));
}
