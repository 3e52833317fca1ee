/** Opens a session: the folder of a run, interrupts, and the environments of a system, booted or attached to. */
import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { type Containment, chooseContainment } from '../../environment/containment/containment.ts';
import { makeMarkKey } from '../../environment/credential-marks.ts';
import { checkFixedPorts } from '../../environment/ports/check-fixed-ports.ts';
import { redactorFor } from '../../environment/redactor-for.ts';
import { makeRoom, makeRunFolder, presentRun, runFolderOf } from '../../environment/run-folder.ts';
import type { JournalEvent } from '../../journal/event.ts';
import type { Redactor } from '../../journal/redaction.ts';
import { removeEmptyFolder } from '../../kernel/folders/entries-below.ts';
import type { Problem } from '../../kernel/problem.ts';
import { toolVersion } from '../../kernel/tool-version.ts';
import { freshSeed, runId } from '../../kernel/unique-id.ts';
import type { System } from '../../system/system.ts';
import type { EnvironmentSource } from '../run/environment-holder.ts';
import {
  attachEnvironment,
  type BootOptions,
  bootEnvironment,
  type OpenEnvironment,
} from '../run/open-environment.ts';
import type { RunIdentity } from '../run/run-plan.ts';
import { chooseVariant } from './choose-variant.ts';
import type { Host } from './host.ts';
import { type Endings, type Interrupts, listenForEndings } from './interrupts.ts';
import { reapAndReport } from './leftovers.ts';
import { findLive, type Live, notUp } from './live-environment.ts';

/** What the command line says about environments. */
export interface EnvironmentRequest {
  /** Absent: the best that this machine permits. */
  readonly containment?: Containment | undefined;
  readonly seed?: string | undefined;
  /** As given: `NAME=VALUE,…` */
  readonly variant?: string | undefined;
}

export function identifyRun(host: Host, system: System, request: EnvironmentRequest): RunIdentity {
  return {
    run: runId(host.clock.now()),
    seed: request.seed ?? freshSeed(),
    variant: chooseVariant(system, request.variant),
    tool: `shakedown ${toolVersion()}`,
  };
}

export interface SessionParts {
  readonly system: System;
  readonly identity: RunIdentity;
  readonly interrupts: Interrupts;
  readonly containment?: Containment | undefined;
  /** On the environment that is up in this folder, which stays up. */
  readonly attach?: boolean;
  /** Stores what is going to be done; without it, the run is not one that `report` and others know. */
  readonly writePlan?: (folder: string, redactor: Redactor) => void;
  /** Makes this run the `latest`. */
  readonly isLatest?: boolean;
  /** Receives lines for the user, and every event of the environments. */
  readonly say?: (text: string) => void;
  readonly onEvent?: (event: JournalEvent) => void;
}

export interface Session {
  readonly host: Host;
  readonly system: System;
  readonly identity: RunIdentity;
  readonly folder: string;
  /** The folder relative to the working folder. */
  readonly shown: string;
  readonly startedAt: number;
  readonly redactor: Redactor;
  readonly endings: Endings;
  /** The environment that it is attached to. */
  readonly live: Live | undefined;
  open(): Promise<OpenEnvironment>;
}

export async function openSession(host: Host, parts: SessionParts): Promise<Session> {
  const { system, identity, say } = parts;
  const live = parts.attach ? await liveIn(host, system.folder) : undefined;
  if (!live) await Promise.all([checkFixedPorts(system), reapAndReport(host, system.folder)]);
  const containment = await chooseContainment(parts.containment);
  const startedAt = host.clock.now();
  const redactor = redactorFor(system, host.env);
  const folder = makeRunFolder(system.folder, runFolderOf(system.folder, identity.run));
  if (!live) makeMarkKey(system.folder);
  if (parts.writePlan) {
    parts.writePlan(folder, redactor);
    await (parts.isLatest ? presentRun : makeRoom)(system.folder, identity.run);
  }
  linkServices(folder, live);
  const endings = listenForEndings(parts.interrupts, say);
  const { run, seed, variant, tool } = identity;
  const options: BootOptions = {
    ...{ run, seed, variant, tool },
    system,
    runFolder: folder,
    containment,
    clock: host.clock,
    hostEnv: host.env,
    signal: endings.signal,
    forceStop: endings.forceStop,
    onStray: (commandLine) => say?.(`ended a leftover process: ${commandLine}`),
    onEvent: (event) => parts.onEvent?.(event),
  };
  let opened = 0;
  return {
    host,
    system,
    identity,
    folder,
    shown: path.relative(host.cwd, folder) || folder,
    startedAt,
    redactor,
    endings,
    live,
    open: () => {
      opened += 1;
      return live ? attach(options, live, say) : bootEnvironment(options, opened);
    },
  };
}

/** Where trials get their environments; `onLost` is called before one that cannot be renewed is replaced. */
export function environmentsOf(
  { open, live, endings }: Session,
  onLost?: (text: string) => void,
): EnvironmentSource {
  return {
    open,
    repair: live ? 'restart' : 'fresh',
    signal: endings.signal,
    onLost: (problem: Problem | undefined) => {
      // There is no other environment to run on, unless it was restarted meanwhile.
      if (live && problem && problem.code !== 'shakedown.keeper-died') throw problem;
      onLost?.(`the environment could not be renewed and is replaced: ${problem?.message}`);
    },
  };
}

async function attach(
  options: BootOptions,
  { plan }: Live,
  say: SessionParts['say'],
): Promise<OpenEnvironment> {
  const environment = await attachEnvironment(options, plan);
  if (!environment) throw notUp(options.system.folder);
  if (plan.system.configHash !== options.system.configHash)
    say?.(
      'the config has changed since this environment was started; the environment still uses the old one',
    );
  return environment;
}

async function liveIn(host: Host, folder: string): Promise<Live> {
  const live = await findLive(folder, host.clock);
  if (!live) throw notUp(folder);
  live.client.close();
  return live;
}

/** Service logs are where every run has them; those of further environments in `environments/`. */
function linkServices(folder: string, live: Live | undefined): void {
  const target = live ? path.join(live.runFolder, 'services') : path.join('environments', '1', 'services');
  removeEmptyFolder(path.join(folder, 'services'));
  symlinkSync(target, path.join(folder, 'services'));
}
