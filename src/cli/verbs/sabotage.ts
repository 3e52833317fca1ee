/** `shakedown sabotage`: mutates what a stored run observed, or the running system, and names what stays green. */
import type { BaselineChange } from '../../campaigns/sabotage/baseline-file.ts';
import { type Interrupts, withInterrupts } from '../../campaigns/session/interrupts.ts';
import type { ExitCode } from '../../kernel/exit-codes.ts';
import { formatProblems } from '../../kernel/format-problems.ts';
import { problemToData } from '../../kernel/problem.ts';
import { formatSabotage } from '../../report/terminal/format-sabotage.ts';
import {
  durationOption,
  environmentOptions,
  numberOption,
  readEnvironmentRequest,
  refuseWithout,
} from '../call/options.ts';
import { print } from '../call/print.ts';
import { type Call, type OptionSpec, optionText, type Verb } from '../call/verb.ts';
import {
  foreignOptions,
  readCommandRequest,
  refuseForeign,
  refuseTrialOptions,
} from '../run/foreign-options.ts';

const liveOptions: Readonly<Record<string, OptionSpec>> = {
  live: {
    help: 'boot the system and let each service in turn be dead, send garbage, or answer with another’s data',
  },
  within: { value: 'TIME', help: 'with --live: start no more attempts after this time, such as 60s' },
  parallel: { value: 'N', help: 'with --live: how many environments at once' },
  containment: { ...environmentOptions.containment, help: 'with --live: as in `up`' },
};

export const sabotage: Verb = {
  summary: 'prove that the checks of a stored run can fail',
  usage: '[RUN] [--live] [--accept REASON] [--prune] [--exposures N] | --live -- COMMAND [WORD…]',
  positionals: 1,
  takesCommand: true,
  options: {
    accept: {
      value: 'REASON',
      help: 'accept the findings, for this reason, in shakedown/sabotage-baseline.yaml',
    },
    prune: { help: 'remove what is no longer a finding from the baseline' },
    exposures: { value: 'N', help: 'how many places that no check reads are shown; default: 10' },
    ...liveOptions,
    ...foreignOptions,
  },
  run: async (call) => {
    refuseWithout(call, 'live', ['within', 'parallel', 'containment']);
    refuseForeign(call, 'sabotage --live', call.options.live === true);
    if (call.command.length > 0) return withInterrupts((interrupts) => sabotageCommand(call, interrupts));
    if (call.options.live === true) return withInterrupts((interrupts) => sabotageLive(call, interrupts));
    return sabotageOffline(call);
  },
};

function baselineChange(call: Call): BaselineChange {
  return { accept: optionText(call, 'accept'), prune: call.options.prune === true };
}

async function sabotageOffline(call: Call): Promise<ExitCode> {
  const most = numberOption(call, 'exposures', 0, 9_999) ?? 10;
  const { mostSevere, sabotageStored } = await import('../../campaigns/sabotage/sabotage-stored.ts');
  const result = await sabotageStored(call, call.positionals[0] ?? 'latest', baselineChange(call));
  const { sabotaged, open, accepted, stale, exitCode } = result;
  print(call, { ...sabotaged, findings: open, baseline: { accepted, stale }, exitCode }, (terminal) =>
    formatSabotage({ ...result, shown: mostSevere(sabotaged.exposures, most) }, terminal),
  );
  return exitCode;
}

async function sabotageLive(call: Call, interrupts: Interrupts): Promise<ExitCode> {
  const request = {
    ...readEnvironmentRequest(call),
    ...baselineChange(call),
    run: call.positionals[0] ?? 'latest',
    parallel: numberOption(call, 'parallel', 1, 64),
    withinMs: durationOption(call, 'within'),
  };
  // Not needed offline.
  const { sabotageSuite } = await import('../../campaigns/sabotage/live/sabotage-suite.ts');
  const { openMutantsView } = await import('../view/mutants-view.ts');
  const { formatLive } = await import('../../report/terminal/format-live.ts');
  const view = openMutantsView(call);
  const shown = await sabotageSuite(call, request, interrupts, view).finally(view.close);
  const { problems, open, accepted, stale, exitCode, runFolder } = shown;
  if (problems.length > 0) call.say(`${formatProblems(problems, call.terminal)}\n`);
  const { outcomes: _outcomes, ...live } = shown.live;
  const counterfactual = shown.counterfactual.map(({ text: _text, ...one }) => one);
  const data = {
    live: { ...live, findings: open, baseline: { accepted, stale }, counterfactual },
    ...(problems.length > 0 ? { errors: problems.map(problemToData) } : {}),
    exitCode,
  };
  print(call, data, (terminal) => formatLive(shown, { ...terminal, runFolder }));
  return exitCode;
}

async function sabotageCommand(call: Call, interrupts: Interrupts): Promise<ExitCode> {
  refuseTrialOptions(call, 'sabotage --live', ['accept', 'prune', 'containment']);
  const request = { ...readCommandRequest(call, 'sabotage --live'), ...baselineChange(call) };
  const campaign = await import('../../campaigns/sabotage/foreign/sabotage-command.ts');
  const { formatForeign, formatHealthy, formatMutatedRun } = await import(
    '../../report/terminal/format-foreign.ts'
  );
  const shown = await campaign.sabotageCommand(call, request, interrupts, {
    onHealthy: ({ seen }, runs) => call.say(formatHealthy(seen, runs)),
    onMutant: (mutated) => call.say(formatMutatedRun(mutated)),
  });
  const { sabotage: result, problems, open, accepted, stale, leaks, exitCode, runFolder } = shown;
  if (problems.length > 0) call.say(formatProblems(problems, call.terminal));
  const errors = problems.map(problemToData);
  const data = { ...result, findings: open, baseline: { accepted, stale }, leaks, errors, exitCode };
  print(call, data, (terminal) => formatForeign(shown, { ...terminal, runFolder }));
  return exitCode;
}
