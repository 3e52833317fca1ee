/** `run_trials`: performs trials on environments of their own, and says which failed. */
import { z } from 'zod';
import { performRun, type RunView } from '../../campaigns/session/perform-run.ts';
import { planSuite, type SuiteRequest } from '../../campaigns/session/plan-suite.ts';
import { judgedBadly } from '../../checks/verdict.ts';
import { formatTrial } from '../../report/terminal/format-trial.ts';
import { problemsAnswer } from '../answer/answer.ts';
import { piecesOf } from '../answer/page.ts';
import { sayVerdict } from '../answer/run-facts.ts';
import { eventsIfReadable, runFolder } from '../answer/stored.ts';
import { type Answer, defineTool, type ToolContext } from '../answer/tool.ts';

const input = z.strictObject({
  trials: z
    .array(z.string().min(1).max(400))
    .max(200)
    .default([])
    .describe('Ids, beginnings of ids, or globs of ids; all trials when empty.'),
  tags: z.array(z.string().max(100)).max(20).default([]).describe('Only trials that have all of these.'),
  lastFailed: z.boolean().default(false).describe('Only trials that did not pass in the latest run.'),
  repeat: z.int().min(1).max(20).default(1).describe('How often each is performed.'),
  seed: z.string().max(100).optional().describe('Repeats the random choices of an earlier run.'),
});

export const runTrials = defineTool({
  name: 'run_trials',
  title: 'Run trials',
  description:
    'Boots the system in disposable environments, performs trials and judges them. EXECUTES the commands of the project’s config and trials on this machine, and takes everything down afterwards. Answers with the verdict, and the story of each trial that failed.',
  input,
  annotations: { readOnlyHint: false, destructiveHint: false, openWorldHint: true },
  answer: (args, context) => context.inTurn(() => perform(args, context)),
});

async function perform(args: z.output<typeof input>, context: ToolContext): Promise<Answer> {
  const { host, interrupts } = context;
  if (interrupts.received()) return { says: ['It was cancelled before it began.'], data: {} };
  const planned = await planSuite(host, suiteRequest(args));
  const { trials, rounds, run } = planned.plan;
  const view = viewOf(
    trials.reduce((sum, { attempts }) => sum + attempts * rounds, 0),
    context,
  );
  const { verdict, problems } = await performRun(host, planned, interrupts, {
    openView: () => view,
    writeReports: host.writeReports,
  });
  const folder = await runFolder(context, run);
  const bad = verdict.trials.filter((trial) => judgedBadly(trial.verdict));
  const stories = await Promise.all(
    bad.map(async (trial) => formatTrial(trial, await eventsIfReadable(context, { folder, trial }), {})),
  );
  const { says, data, evidence = [] } = problemsAnswer(problems, context);
  const facts = sayVerdict(verdict);
  return {
    says: [...facts.says, ...(problems.length === 0 ? [] : says)],
    data: { ...facts.data, ...(problems.length === 0 ? {} : data) },
    evidence: [...evidence, ...piecesOf(stories.map((story) => story.join('\n')).join('\n'))],
    rest: `There is more: ask why_failed for each trial, with run ${run}.`,
  };
}

/** Each attempt is two moves, its beginning and its end: the number must grow each time. */
function viewOf(attempts: number, { host, progress }: ToolContext): RunView {
  let moves = 0;
  const move = (message: string): void => {
    progress(moves, 2 * attempts, message);
    moves += 1;
  };
  move('the system boots');
  return {
    event: () => undefined,
    started: (trial) => move(`${trial} begins`),
    ended: (trial, { verdict }) => move(`${trial}: ${verdict.verdict}`),
    say: host.say,
    hold: async () => undefined,
    close: () => undefined,
  };
}

function suiteRequest({ trials, tags, lastFailed, repeat, seed }: z.output<typeof input>): SuiteRequest {
  return {
    ...{ words: trials, tags, lastFailed, rounds: repeat, seed },
    ...{ shuffled: false, attach: false, noSkips: false, bail: false, debug: false, answers: {} },
    ...{ shard: undefined, gate: undefined, parallel: undefined, isolation: undefined },
  };
}
