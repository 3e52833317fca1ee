/** What every run of somebody else's test command begins with: the system, a run folder with its plan, and ways to end. */
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { findCommand } from '../../campaigns/observe/find-command.ts';
import type { StageOptions } from '../../campaigns/run/live-stage.ts';
import { chooseContainment } from '../../environment/containment/containment.ts';
import { checkFixedPorts } from '../../environment/ports/check-fixed-ports.ts';
import { redactorFor } from '../../environment/redactor-for.ts';
import { makeRoom, makeRunFolder, presentRun, runFolderOf } from '../../environment/run-folder.ts';
import { redactOurs } from '../../journal/redact-values.ts';
import type { Redactor } from '../../journal/redaction.ts';
import { writeDocument } from '../../journal/write-redacted.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { removeEmptyFolder } from '../../kernel/folders/entries-below.ts';
import { freshSeed, runId } from '../../kernel/unique-id.ts';
import type { System } from '../../system/system.ts';
import { againCommand } from '../again-command.ts';
import { chooseVariant } from '../choose-variant.ts';
import type { Interrupts } from '../interrupts.ts';
import { openSystem } from '../open-system.ts';
import { reapAndTell } from '../reap-and-tell.ts';
import { type Endings, listenForEndings } from '../run/listen-for-endings.ts';
import { revisionOf } from '../run/plan-run.ts';
import { withWhoAnswers } from '../run/who-answers.ts';
import { toolVersion } from '../tool-version.ts';
import { type Call, optionText } from '../verb.ts';
import { wantedContainment } from '../wanted-containment.ts';

export interface ForeignRun {
  readonly system: System;
  readonly run: string;
  readonly seed: string;
  readonly tool: string;
  readonly revision: string | null;
  readonly folder: string;
  /** The folder as whoever called would write it. */
  readonly shown: string;
  readonly startedAt: number;
  readonly endings: Endings;
  readonly stage: StageOptions;
  /** The call, ready to be pasted into a shell. */
  readonly again: string;
  readonly redactor: Redactor;
}

export interface ForeignUsage {
  /** `run --observe` */
  readonly usage: string;
  /** It is what `latest` means from now on. */
  readonly isLatest: boolean;
}

export async function openForeignRun(
  call: Call,
  interrupts: Interrupts,
  { usage, isLatest }: ForeignUsage,
): Promise<ForeignRun> {
  const [verb = ''] = usage.split(' ');
  const [program = ''] = call.command;
  // Before anything boots: a misspelt program would only be found after.
  if (!program.includes('${')) findCommand(call.command, call);
  const system = withWhoAnswers(call, await openSystem(call));
  const [containment] = await Promise.all([
    chooseContainment(wantedContainment(call, verb)),
    checkFixedPorts(system),
    reapAndTell(call, system.folder),
  ]);
  const startedAt = call.clock.now();
  const about = {
    run: runId(startedAt),
    seed: optionText(call, 'seed') ?? freshSeed(),
    tool: `shakedown ${toolVersion()}`,
    variant: chooseVariant(system, optionText(call, 'variant')),
    revision: await revisionOf(system.folder),
  };
  const redactor = redactorFor(system, call.env);
  const plan = { schemaVersion: 1, kind: usage, startedAt: new Date(startedAt).toISOString(), ...about };
  const folder = await layOut(
    system,
    about.run,
    redactOurs({ ...plan, command: call.command, system }, redactor, 'hidden'),
    isLatest,
  );
  const endings = listenForEndings(interrupts, (text) => say(call, text));
  const { revision: _revision, ...kept } = about;
  return {
    ...about,
    system,
    folder,
    shown: path.relative(call.cwd, folder) || folder,
    startedAt,
    endings,
    stage: { ...stageOptions(call, endings), ...kept, system, runFolder: folder, containment },
    redactor,
    again: redactor.redact(againCommand(call, usage)),
  };
}

/** The folder with its plan; logs of services stand in it where every run has them. */
async function layOut(
  { folder: systemFolder }: System,
  run: string,
  plan: unknown,
  isLatest: boolean,
): Promise<string> {
  const folder = makeRunFolder(systemFolder, runFolderOf(systemFolder, run));
  writeDocument(path.join(folder, 'plan.json'), plan);
  await (isLatest ? presentRun : makeRoom)(systemFolder, run);
  removeEmptyFolder(path.join(folder, 'services'));
  symlinkSync(path.join('environments', '1', 'services'), path.join(folder, 'services'));
  return folder;
}

function say(call: Call, text: string): void {
  if (!call.json) call.terminal.err(text);
}

type OfTheCall = Pick<StageOptions, 'clock' | 'hostEnv' | 'signal' | 'hurry' | 'onStray' | 'onEvent'>;

function stageOptions(call: Call, { signal, hurry }: Endings): OfTheCall {
  return {
    clock: call.clock,
    hostEnv: call.env,
    signal,
    hurry,
    onStray: (commandLine) => say(call, `ended a process that outlived the command: ${commandLine}`),
    onEvent: (event) => {
      if (event.type === 'environment.ready')
        say(call, call.terminal.paint('dim', `environment ready after ${formatDuration(event.bootMs)}`));
    },
  };
}
