/** Under GitHub Actions, tells it what a run came to: the summary of the job, and errors beside the lines of trials. */
import path from 'node:path';
import { systemFolder } from '../../campaigns/session/open-system.ts';
import type { RunVerdict, TrialVerdict } from '../../checks/verdict.ts';
import { appendClean } from '../../journal/write-redacted.ts';
import { githubAnnotations } from '../../report/ci/github-annotations.ts';
import { githubSummary } from '../../report/ci/github-summary.ts';
import type { Call } from '../call/verb.ts';

/** The verdict is without secrets, and read only where it is needed. On standard error, where JSON is not disturbed; GitHub reads both. */
export async function tellGithub(call: Call, read: () => RunVerdict | undefined): Promise<void> {
  const { env, cwd } = call;
  const verdict = env.GITHUB_ACTIONS === 'true' ? read() : undefined;
  if (!verdict) return;
  const folder = await systemFolder(call).catch(() => cwd); // run folders may be looked at elsewhere
  const root = env.GITHUB_WORKSPACE || cwd;
  const placeOf = ({ file }: TrialVerdict): string => path.relative(root, path.resolve(folder, file));
  for (const line of githubAnnotations(verdict, placeOf)) call.warn(line);
  const summary = env.GITHUB_STEP_SUMMARY;
  if (!summary) return;
  try {
    appendClean(summary, githubSummary(verdict));
  } catch (error) {
    call.warn(`the summary of the job was not written: ${String(error)}`);
  }
}
