/** `shakedown run`: performs trials on environments of its own, judges them, and leaves the evidence. */

import { planQuarantine } from '../../campaigns/flakes/plan-quarantine.ts';
import { judgeRun } from '../../campaigns/run/judge-run.ts';
import { selectTrials } from '../../campaigns/run/select-trials.ts';
import { judgedBadly } from '../../checks/judged-badly.ts';
import { chooseContainment } from '../../environment/containment/containment.ts';
import { checkFixedPorts } from '../../environment/ports/check-fixed-ports.ts';
import { type ExitCode, exitCodes } from '../../kernel/exit-codes.ts';
import { freshSeed, runId } from '../../kernel/unique-id.ts';
import { loadRequirements } from '../../requirements/load-requirements.ts';
import { prioritiesOf } from '../../requirements/priority.ts';
import { loadTrials } from '../../trials/load-trials.ts';
import { quarantineFile, readQuarantine } from '../../trials/quarantine/read-quarantine.ts';
import { chooseVariant } from '../choose-variant.ts';
import { planRequirements } from '../coverage/plan-requirements.ts';
import { refuseForeign } from '../foreign/foreign-options.ts';
import { type Interrupts, listenForInterrupts } from '../interrupts.ts';
import { findLive, type Live, notUp } from '../live-environment.ts';
import { openSystem } from '../open-system.ts';
import { reapAndTell } from '../reap-and-tell.ts';
import { findRun } from '../run/find-run.ts';
import { listTrials } from '../run/list-trials.ts';
import { planRun } from '../run/plan-run.ts';
import { runOnce } from '../run/run-once.ts';
import {
  gateOf,
  isolationOption,
  parallelOption,
  roundsOption,
  runOptions,
  selectionOf,
  skipPolicy,
} from '../run/run-options.ts';
import { watchAndRun } from '../run/watch-and-run.ts';
import { whoAnswers, withWhoAnswers } from '../run/who-answers.ts';
import { type Call, optionText, type Verb } from '../verb.ts';
import { wantedContainment } from '../wanted-containment.ts';

export const run: Verb = {
  summary: 'perform trials and judge them',
  usage:
    '[TRIAL or PATH…] [--tag TAG,…] [--gate NAME] [--last-failed] [--list] | --observe -- COMMAND [WORD…]',
  words: { atMost: Number.POSITIVE_INFINITY },
  takesCommand: true,
  options: runOptions,
  run: async (call) => {
    const interrupts = listenForInterrupts();
    try {
      if (call.options.observe === true) {
        const { observeRun } = await import('../foreign/observe-run.ts'); // trials do without it
        return await observeRun(call, interrupts);
      }
      refuseForeign(call, 'run --observe', false);
      if (call.options.watch === true) return await watchAndRun(call, interrupts, performSelection);
      return await performSelection(call, interrupts);
    } finally {
      interrupts.stopListening();
    }
  },
};

async function performSelection(call: Call, interrupts: Interrupts): Promise<ExitCode> {
  const system = withWhoAnswers(call, await openSystem(call));
  const trials = await loadTrials(system);
  const quarantined = await readQuarantine(system.folder, trials);
  const gate = gateOf(call, system);
  const lastFailed = call.options['last-failed'] === true ? await failedLast(call) : undefined;
  const catalogue = await loadRequirements(system);
  const selected = selectTrials(trials, {
    ...selectionOf(call, system, lastFailed),
    priorities: prioritiesOf(catalogue?.requirements ?? []),
  });
  const attached = call.options.attach === true;
  const parallel = parallelOption(call, system);
  const plan = await planRun(call, system, trials.length, selected, {
    run: runId(call.clock.now()),
    seed: optionText(call, 'seed') ?? freshSeed(),
    variant: chooseVariant(system, optionText(call, 'variant')),
    rounds: roundsOption(call),
    shuffled: call.options.shuffle === true,
    attached,
    isolation: isolationOption(call),
    answers: whoAnswers(call),
    skips: skipPolicy(call, gate),
    requirements: await planRequirements(call, system, catalogue, trials, gate),
    quarantine: planQuarantine({
      file: quarantineFile,
      entries: quarantined,
      policy: gate?.quarantine ?? 'allow',
      systemFolder: system.folder,
      now: call.clock.now(),
    }),
  });
  if (call.options.list === true) {
    listTrials(call, plan);
    return exitCodes.held;
  }
  const live = attached ? await liveHere(call, system.folder) : undefined;
  if (!live) await Promise.all([checkFixedPorts(system), reapAndTell(call, system.folder)]);
  const verdict = await runOnce(call, {
    plan,
    trials: selected.trials,
    parallel,
    containment: await chooseContainment(wantedContainment(call, 'run')),
    interrupts,
    ...(live ? { live } : {}),
  });
  return verdict.exitCode;
}

async function liveHere(call: Call, folder: string): Promise<Live> {
  const live = await findLive(folder, call.clock);
  if (!live) throw notUp(folder);
  live.client.close();
  return live;
}

/** Judged from the evidence: what cannot be read did not pass. */
async function failedLast(call: Call): Promise<readonly string[]> {
  const { trials } = await judgeRun(await findRun(call, 'latest'));
  return trials.filter(({ verdict }) => judgedBadly(verdict)).map(({ id }) => id);
}
