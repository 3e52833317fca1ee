/** Registers a case for each trial at a test runner; one run performs all of them, and each case reports its own. */
import type { RunVerdict } from '../checks/verdict.ts';
import { exitCodes } from '../kernel/exit-codes.ts';
import type { TrialOutcome } from '../report/ci/trial-outcome.ts';
import { type Answer, askCommand, type SystemChoice, startCommand } from './command.ts';

interface CaseContext {
  skip(reason?: string): void;
}

type Register = (
  name: string,
  options: { readonly timeout: number },
  body: (context: CaseContext) => Promise<void>,
) => unknown;

export interface TrialsOptions extends SystemChoice {
  /** `test` of node:test or Vitest. */
  readonly test: Register;
  /** `after` of node:test, `afterAll` of Vitest. */
  readonly after: (end: () => Promise<void>) => void;
  /** What `shakedown run` takes: ids, paths and options; all trials when absent. */
  readonly select?: readonly string[];
}

/** A trial has time limits of its own; a runner must not be faster. */
const longestMs = 2 ** 31 - 1;

export async function trials({ test, after, select = [], ...choice }: TrialsOptions): Promise<void> {
  const listed = await askCommand(choice, ['run', '--list', ...select]);
  const ids = (listed.trials as readonly Listed[])
    .toSorted((a, b) => waits(a) - waits(b))
    .map(({ id }) => id);
  let run: WholeRun | undefined;
  for (const id of ids)
    test(id, { timeout: longestMs }, async (context) => {
      run ??= startRun(choice, select, ids);
      report(await run.result(id), context);
    });
  after(async () => run?.end());
}

interface Listed {
  readonly id: string;
  readonly attempts: number;
  readonly twins: readonly string[];
}

/** What only the whole run can decide comes after the others. */
function waits({ attempts, twins }: Listed): number {
  return attempts > 1 || twins.length > 0 ? 1 : 0;
}

interface TrialLine {
  readonly outcome: TrialOutcome;
  readonly text: string;
}

type WholeRun = ReturnType<typeof startRun>;

function startRun(choice: SystemChoice, select: readonly string[], ids: readonly string[]) {
  const lines = new Map(ids.map((id) => [id, Promise.withResolvers<TrialLine>()]));
  let open = ids.length;
  let verdict: RunVerdict | undefined;
  let problems = '';
  const { close, ended } = startCommand(choice, ['run', '--stream', ...select], (line: Answer) => {
    if (line.type === 'problems') problems = `${line.text}\n\n`;
    if (line.type === undefined) verdict = line as unknown as RunVerdict;
    if (line.type !== 'trial') return;
    lines.get(`${line.trial}`)?.resolve(line as unknown as TrialLine);
    open -= 1;
  });
  const over = ended.then(({ code, said }): never => {
    throw new Error(said || `shakedown run ended with ${code}`);
  });
  over.catch(() => undefined); // told to those who wait
  let hasFailed = false;
  return {
    result: async (id: string): Promise<TrialLine> => {
      const line = await Promise.race([lines.get(id)?.promise ?? over, over]);
      if (line.outcome.junit !== 'failure' && line.outcome.junit !== 'error') return line;
      const why = hasFailed ? '' : problems;
      hasFailed = true;
      return { ...line, text: `${why}${line.text}` };
    },
    /** What nobody waits for any more is interrupted. */
    end: async (): Promise<void> => {
      if (open > 0) close();
      await ended;
      const isExplained = hasFailed || verdict?.exitCode === exitCodes.interrupted;
      const always: readonly number[] = [exitCodes.leftBehind, exitCodes.bug];
      const reasons = (verdict?.reasons ?? []).filter(
        ({ exitCode }) => !isExplained || always.includes(exitCode),
      );
      if (reasons.length > 0) throw new Error(reasons.map(({ text }) => text).join('\n'));
    },
  };
}

function report({ outcome, text }: TrialLine, context: CaseContext): void {
  const { junit, message } = outcome;
  if (junit === 'skipped') context.skip(message);
  if (junit !== 'failure' && junit !== 'error') return;
  const error = new Error(text);
  error.stack = text; // where it was thrown says nothing
  throw error;
}
