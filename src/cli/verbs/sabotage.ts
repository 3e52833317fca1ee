/** `shakedown sabotage`: lies about what a stored run saw, and names the checks that do not notice. */
import { acceptFindings, dropStale, holdAgainstBaseline } from '../../campaigns/sabotage/baseline.ts';
import { readBaseline, writeBaseline } from '../../campaigns/sabotage/baseline-file.ts';
import { byWeight } from '../../campaigns/sabotage/exposure.ts';
import { lostChecks } from '../../campaigns/sabotage/lost-checks.ts';
import { sabotageRun } from '../../campaigns/sabotage/sabotage-run.ts';
import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import { Problem } from '../../kernel/problem.ts';
import { foreignOptions, refuseForeign } from '../foreign/foreign-options.ts';
import { systemFolder } from '../open-system.ts';
import { findRun } from '../run/find-run.ts';
import { liveOptions, refuseWithoutLive } from '../sabotage/live-options.ts';
import { suiteNow } from '../sabotage/suite-now.ts';
import { tellSabotage } from '../sabotage/tell-sabotage.ts';
import { vacuousChecks } from '../sabotage/vacuous-checks.ts';
import { type Call, optionText, type Verb } from '../verb.ts';

export const sabotage: Verb = {
  summary: 'prove that the checks of a stored run can fail',
  usage: '[RUN] [--live] [--accept REASON] [--prune] [--exposures N] | --live -- COMMAND [WORD…]',
  words: { atMost: 1 },
  takesCommand: true,
  options: {
    accept: {
      type: 'string',
      value: 'REASON',
      help: 'accept what was found, for this reason, in shakedown/sabotage-baseline.yaml',
    },
    prune: { type: 'boolean', help: 'take what is no finding any more out of the baseline' },
    exposures: {
      type: 'string',
      value: 'N',
      help: 'how many places that nobody reads are told; default: 10',
    },
    ...liveOptions,
    ...foreignOptions,
  },
  run: async (call) => {
    refuseWithoutLive(call);
    refuseForeign(call, 'sabotage --live', call.options.live === true);
    if (call.command.length > 0) {
      const { sabotageForeignRun } = await import('../foreign/sabotage-foreign-run.ts');
      return sabotageForeignRun(call);
    }
    if (call.options.live !== true) return sabotageOffline(call);
    const { runLive } = await import('../sabotage/run-live.ts'); // offline, nothing of it is needed
    return runLive(call);
  },
};

async function sabotageOffline(call: Call): Promise<ExitCode> {
  const most = exposuresOption(call);
  const folder = await findRun(call, call.words[0] ?? 'latest');
  const suite = await suiteNow(call);
  const judged = await sabotageRun(folder, {
    whyNot: suite.whyNot,
    ...(suite.ids ? { suite: suite.ids } : {}),
  });
  const exposures = [...(await lostChecks(folder, judged)), ...judged.exposures].sort(byWeight);
  const sabotaged = { ...judged, exposures };
  const findings = vacuousChecks(sabotaged);
  const isJudged = ({ trial }: { readonly trial: string }): boolean =>
    sabotaged.trials.some(({ id }) => isOf(id, trial)) ||
    (suite.ids !== undefined && ![...suite.ids].some((id) => isOf(id, trial)));
  const read = await readBaseline(await systemFolder(call));
  const reason = optionText(call, 'accept');
  const baseline =
    reason !== undefined
      ? acceptFindings(read, 'offline', findings, reason, isJudged)
      : call.options.prune === true
        ? dropStale(read, 'offline', findings, isJudged)
        : read;
  if (baseline !== read) await writeBaseline(baseline);
  const held = holdAgainstBaseline(baseline, 'offline', findings, isJudged);
  const outdated = sabotaged.notJudged.filter(({ why }) =>
    /^it (?:was changed|is not in the suite)/.test(why),
  );
  const isSound = sabotaged.checks > 0 && outdated.length === 0;
  const isHonest = isSound && held.open.length === 0 && held.stale.length === 0;
  const exitCode = isHonest ? exitCodes.held : exitCodes.dishonest;
  if (call.json) {
    const { open, accepted, stale } = held;
    call.terminal.out(
      JSON.stringify({ ...sabotaged, findings: open, baseline: { accepted, stale }, exitCode }),
    );
    return exitCode;
  }
  const { columns, paint, hint } = call.terminal;
  call.terminal.out(tellSabotage({ sabotaged, ...held, most }, { columns, paint, hint }).join('\n'));
  return exitCode;
}

/** A trial, or one of its cases. */
function isOf(id: string, trial: string): boolean {
  return id === trial || id.startsWith(`${trial}[`);
}

function exposuresOption(call: Call): number {
  const written = optionText(call, 'exposures') ?? '10';
  if (/^\d{1,4}$/.test(written)) return Number(written);
  throw new Problem({
    code: 'usage.bad-value',
    where: '--exposures',
    what: `\`${written}\` is no number of places`,
    allowed: '0 to 9999',
    next: 'write for example --exposures 20',
  });
}
