/** `judge`: judges a stored run again, also with other checks, and performs nothing. */
import { z } from 'zod';
import { checkedVerdict } from '../../campaigns/run/read-run-verdict.ts';
import { judgeStored, judgeWithChecks } from '../../campaigns/session/judge-stored.ts';
import { judgedBadly } from '../../checks/verdict.ts';
import { badUsage } from '../../kernel/problem.ts';
import { factsOf, sayFacts } from '../answer/facts.ts';
import { piecesOf } from '../answer/page.ts';
import { sayVerdict } from '../answer/run-facts.ts';
import { runFolder } from '../answer/stored.ts';
import {
  type Answer,
  cursorArgument,
  defineTool,
  reads,
  runArgument,
  type ToolContext,
  trialArgument,
} from '../answer/tool.ts';

export const judge = defineTool({
  name: 'judge',
  title: 'Judge again',
  description:
    'Judges the evidence of a stored run again. With `trial` and `checks`, one trial with checks that are written otherwise: what would they have said? Performs nothing, and writes nothing.',
  input: z.strictObject({
    run: runArgument,
    current: z.boolean().default(false).describe('By the checks that the trial files have now.'),
    trial: trialArgument.optional(),
    checks: z
      .string()
      .max(64 * 1024)
      .optional()
      .describe(
        'YAML as below `checks:` of a trial: each takes the place of the check of its name, or is added.',
      ),
    cursor: cursorArgument,
  }),
  annotations: reads,
  answer: async ({ run, current, trial, checks }, context) => {
    const folder = await runFolder(context, run);
    if (trial !== undefined && checks !== undefined) return judgeTrial(context, folder, trial, checks);
    if (trial !== undefined || checks !== undefined) throw halfGiven();
    const verdict = await judgeStored(context.host, folder, current);
    const bad = verdict.trials.filter((one) => judgedBadly(one.verdict));
    return { ...sayVerdict(verdict), evidence: bad.flatMap((one) => piecesOf(detailsOf(one))) };
  },
});

async function judgeTrial(
  { host }: ToolContext,
  folder: string,
  trial: string,
  checks: string,
): Promise<Answer> {
  const { run, trials: before } = await checkedVerdict(folder);
  const now = await judgeWithChecks(host, folder, trial, checks);
  const judged = now.map((one) => ({
    ...factsOf(one),
    before: before.find(({ id }) => id === one.id)?.verdict ?? null,
    verdicts: Object.fromEntries(one.checks.map(({ id, verdict }) => [id, verdict])),
  }));
  return {
    says: [
      `Run ${run}, with these checks; nothing was written.`,
      ...judged.flatMap((one) => [...sayFacts(one), `  before: ${one.before ?? 'not judged'}`]),
      ...(judged.length === 0 ? [`The run has no trial ${trial}.`] : []),
    ],
    data: { run, judged },
    evidence: now.flatMap((one) => piecesOf(detailsOf(one))),
  };
}

function detailsOf({ id, cause, checks }: Awaited<ReturnType<typeof judgeWithChecks>>[number]): string {
  const open = checks.filter(({ verdict }) => judgedBadly(verdict));
  const shown = open.map(({ id: check, expected, observed, explanation }) => ({
    check,
    expected,
    observed,
    explanation,
  }));
  return `${JSON.stringify({ trial: id, cause: cause?.text, checks: shown }, undefined, 1)}\n`;
}

function halfGiven() {
  return badUsage(
    'judge',
    'one of `trial` and `checks` is given without the other',
    'both, or none',
    'name the trial whose checks these are; leave both out to judge the whole run',
  );
}
