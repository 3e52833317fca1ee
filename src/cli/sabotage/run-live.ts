/** `shakedown sabotage --live`: boots the system, lets each service lie in turn, and names the trials that stay green. */
import path from 'node:path';
import { bootStage } from '../../campaigns/run/live-stage.ts';
import type { StageSource } from '../../campaigns/run/stage-holder.ts';
import {
  acceptFindings,
  type Baseline,
  dropStale,
  holdAgainstBaseline,
  type IsJudged,
} from '../../campaigns/sabotage/baseline.ts';
import { readBaseline, writeBaseline } from '../../campaigns/sabotage/baseline-file.ts';
import { coverCounterfactuals } from '../../campaigns/sabotage/live/cover-counterfactuals.ts';
import { judgedLies } from '../../campaigns/sabotage/live/judged-lies.ts';
import { type LiveSabotage, sabotageLive } from '../../campaigns/sabotage/live/sabotage-live.ts';
import { readEvidence, type StoredEvidence } from '../../campaigns/sabotage/live/stored-evidence.ts';
import { sabotageRun } from '../../campaigns/sabotage/sabotage-run.ts';
import { chooseContainment } from '../../environment/containment/containment.ts';
import { checkFixedPorts } from '../../environment/ports/check-fixed-ports.ts';
import { redactorFor } from '../../environment/redactor-for.ts';
import { makeRoom, makeRunFolder, runFolderOf } from '../../environment/run-folder.ts';
import { writeDocument, writeFindings } from '../../journal/write-redacted.ts';
import { type ExitCode, exitCodes, worstExitCode } from '../../kernel/exit-codes.ts';
import { type Problem, problemToData } from '../../kernel/problem.ts';
import { runId } from '../../kernel/unique-id.ts';
import type { System } from '../../system/system.ts';
import { loadTrials } from '../../trials/load-trials.ts';
import { interruptExitCode, listenForInterrupts } from '../interrupts.ts';
import { leftBehindProblem } from '../left-behind.ts';
import { openSystem } from '../open-system.ts';
import { reapAndTell } from '../reap-and-tell.ts';
import { findRun } from '../run/find-run.ts';
import { type Endings, listenForEndings } from '../run/listen-for-endings.ts';
import { tellProblems } from '../tell-problems.ts';
import { toolVersion } from '../tool-version.ts';
import { type Call, optionText } from '../verb.ts';
import { wantedContainment } from '../wanted-containment.ts';
import { liveParallel, withinOption } from './live-options.ts';
import { openLiveView } from './live-view.ts';
import { type HeldLive, tellLive } from './tell-live.ts';

export async function runLive(call: Call): Promise<ExitCode> {
  const withinMs = withinOption(call);
  const system = await openSystem(call);
  const stored = await findRun(call, call.words[0] ?? 'latest');
  const trials = await loadTrials(system);
  const evidence = await readEvidence(stored, trials);
  const baseline = await readBaseline(system.folder);
  const interrupts = listenForInterrupts();
  const view = openLiveView(call);
  const endings = listenForEndings(interrupts, view.say);
  try {
    const { live, problems, leaks, folder } = await tryAll(call, system, evidence, withinMs, endings, view);
    const { counterfactual } = await sabotageRun(stored);
    const covered = coverCounterfactuals(counterfactual, evidence.trials, live.outcomes);
    const redactor = redactorFor(system, call.env);
    writeFindings(path.join(folder, 'sabotage-live.json'), { ...live, counterfactual: covered }, redactor);
    const signal = endings.interruptedBy();
    const isJudged = judgedLies(
      live.outcomes,
      trials.map(({ record }) => record.id),
    );
    const isWhole = signal === undefined && problems.length === 0;
    const held = await hold(call, baseline, live, isJudged, isWhole);
    const told = leaks.length > 0 ? [...problems, leftBehindProblem(leaks)] : problems;
    const exitCode = signal ? interruptExitCode(signal) : exitCodeOf(held, told);
    view.close();
    print(call, { held, covered, problems: told, exitCode, folder });
    return exitCode;
  } finally {
    view.close();
    endings.stopListening();
    interrupts.stopListening();
  }
}

async function tryAll(
  call: Call,
  system: System,
  evidence: StoredEvidence,
  withinMs: number | undefined,
  endings: Endings,
  view: ReturnType<typeof openLiveView>,
): Promise<Awaited<ReturnType<typeof sabotageLive>> & { readonly folder: string }> {
  await Promise.all([checkFixedPorts(system), reapAndTell(call, system.folder)]);
  const run = runId(call.clock.now());
  const tool = `shakedown ${toolVersion()}`;
  const about = { run, seed: evidence.seed, tool };
  const folder = makeRunFolder(system.folder, runFolderOf(system.folder, run));
  writeDocument(path.join(folder, 'plan.json'), {
    schemaVersion: 1,
    kind: 'sabotage',
    ...about,
    of: evidence.run,
  });
  await makeRoom(system.folder, run);
  const result = await sabotageLive({
    system,
    evidence,
    parallel: liveParallel(call, system),
    stages: await stageSource(call, system, evidence, folder, about, endings),
    folder: path.join(folder, 'lies'),
    about,
    clock: call.clock,
    signal: endings.signal,
    ...(withinMs === undefined ? {} : { withinMs }),
    onPlanned: view.planned,
    onTried: view.tried,
  });
  return { ...result, folder };
}

async function stageSource(
  call: Call,
  system: System,
  { variant }: StoredEvidence,
  runFolder: string,
  about: { readonly run: string; readonly seed: string; readonly tool: string },
  { signal, hurry }: Endings,
): Promise<StageSource> {
  const containment = await chooseContainment(wantedContainment(call, 'sabotage'));
  let opened = 0;
  const open: StageSource['open'] = () => {
    opened += 1;
    return bootStage(
      {
        system,
        runFolder,
        containment,
        variant,
        clock: call.clock,
        hostEnv: call.env,
        signal,
        hurry,
        onStray: () => undefined,
        onEvent: () => undefined,
        ...about,
      },
      opened,
    );
  };
  return { open, repair: 'fresh', signal, onLost: () => undefined };
}

/** What came to no end decides over nothing that is kept. */
async function hold(
  call: Call,
  read: Baseline,
  live: LiveSabotage,
  isJudged: IsJudged<'live'>,
  isWhole: boolean,
): Promise<HeldLive> {
  const reason = optionText(call, 'accept');
  const baseline =
    reason !== undefined && isWhole
      ? acceptFindings(read, 'live', live.findings, reason, isJudged)
      : call.options.prune === true && isWhole
        ? dropStale(read, 'live', live.findings, isJudged)
        : read;
  if (baseline !== read) await writeBaseline(baseline);
  return { live, ...holdAgainstBaseline(baseline, 'live', live.findings, isJudged) };
}

function exitCodeOf({ live, open, stale }: HeldLive, problems: readonly Problem[]): ExitCode {
  const isShown = live.noticed + live.findings.length > 0 || live.left.length > 0;
  const isHonest = open.length === 0 && stale.length === 0 && live.undecided.length === 0 && isShown;
  return worstExitCode([
    ...problems.map(({ exitCode }) => exitCode),
    ...(isHonest || problems.length > 0 ? [] : [exitCodes.dishonest]),
    ...(live.left.length > 0 ? [exitCodes.budget] : []),
  ]);
}

interface Told {
  readonly held: HeldLive;
  readonly covered: ReturnType<typeof coverCounterfactuals>;
  readonly problems: readonly Problem[];
  readonly exitCode: ExitCode;
  readonly folder: string;
}

function print(call: Call, { held, covered, problems, exitCode, folder }: Told): void {
  const { live, open, accepted, stale } = held;
  if (call.json) {
    const { outcomes: _outcomes, ...told } = live;
    const errors = problems.length > 0 ? { errors: problems.map(problemToData) } : {};
    const counterfactual = covered.map(({ text: _text, ...one }) => one);
    call.terminal.out(
      JSON.stringify({
        live: { ...told, findings: open, baseline: { accepted, stale }, counterfactual },
        ...errors,
        exitCode,
      }),
    );
    return;
  }
  if (problems.length > 0) call.terminal.err(`${tellProblems(problems, call.terminal)}\n`);
  const { columns, paint, hint } = call.terminal;
  const runFolder = path.relative(call.cwd, folder) || folder;
  call.terminal.out(tellLive(held, { columns, paint, hint, runFolder }).join('\n'));
}
