/** The parts of which a daemon is made. Each can be taken out and replaced, which is how a defect is put in. */
import type { Socket } from 'node:net';
import { type EventLog, openEventLog } from './event-log.ts';
import { createGateways, fileShelf, type Gateways } from './gateways.ts';
import { examine, type Health } from './health.ts';
import { createHeart, type Heart } from './heart.ts';
import { createOnce, type Once } from './once.ts';
import type { Provider } from './pipeline/ask-providers.ts';
import type { Stimulus } from './pipeline/sense.ts';
import { type Decision, degrade, takeStimulus } from './pipeline/take-stimulus.ts';
import { hangUp, refuseFrame } from './sessions/end-session.ts';
import type { Session } from './sessions/session.ts';
import type { Settings } from './settings.ts';
import { type Judgement, judgeCommand } from './shell/judge-command.ts';
import { type Outcome, runCommand } from './shell/run-command.ts';
import { loadSkills, type Skills } from './skills.ts';
import { type BadFrame, inCharacters, type Measure } from './wire/frames.ts';
import type { Printable } from './wire/sexp.ts';

export interface Parts {
  readonly settings: Settings;
  /** By their ids; only those whose connection is open. */
  readonly sessions: Map<string, Session>;
  readonly measure: Measure;
  refuseFrame(session: Session, fault: BadFrame, parts: Parts): void;
  hangUp(socket: Socket): void;
  /** To whom an answer goes. */
  recipient(asker: Session, sessions: ReadonlyMap<string, Session>): Session;
  readonly once: Once;
  take(stimulus: Stimulus, parts: Parts): Promise<Printable | undefined>;
  degrade(text: string): Decision;
  readonly providers: readonly Provider[];
  readonly skills: Skills;
  readonly heart: Heart;
  readonly events: EventLog;
  readonly gateways: Gateways;
  readonly shell: Shell;
  health(parts: Parts): Health;
  readonly condition: { providersAnswer: boolean };
}

export interface Shell {
  judge(command: string): Judgement;
  run(command: string): Promise<Outcome>;
}

export function createParts(settings: Settings): Parts {
  const skills = loadSkills(settings.dataFolder);
  return {
    settings,
    sessions: new Map(),
    measure: inCharacters,
    refuseFrame,
    hangUp,
    recipient: (asker) => asker,
    once: createOnce(),
    take: takeStimulus,
    degrade,
    providers: settings.providers,
    skills,
    heart: createHeart(),
    events: openEventLog(settings.stateFolder),
    gateways: createGateways(fileShelf(settings.stateFolder)),
    shell: { judge: judgeCommand, run: (command) => runCommand(command, settings.shellTimeoutMs) },
    health: examine,
    condition: { providersAnswer: true },
  };
}
