/** The parts of a daemon. Each can be replaced, which is how a defect is injected. */
import type { Socket } from 'node:net';
import { type EventLog, openEventLog } from './event-log.ts';
import { createGateways, fileShelf, type Gateway, type Gateways } from './gateways.ts';
import { examine, type Health } from './health.ts';
import { createHeart, type Heart } from './heart.ts';
import { createMessenger, type Messenger } from './messenger/messenger.ts';
import { isSignedBy } from './messenger/signature.ts';
import { maySpeak } from './messenger/take-delivery.ts';
import { createOnce, type Once } from './once.ts';
import type { Stimulus } from './pipeline/sense.ts';
import { type Decision, degrade, takeStimulus } from './pipeline/take-stimulus.ts';
import { askProviders, mayPass } from './providers/ask-providers.ts';
import type { Provider, Question, Said, Thought } from './providers/provider.ts';
import { decode, readAnswer } from './providers/read-answer.ts';
import { hangUp, refuseFrame } from './sessions/end-session.ts';
import type { Session } from './sessions/session.ts';
import type { Settings } from './settings.ts';
import { type Judgement, judgeCommand } from './shell/judge-command.ts';
import { type Outcome, runCommand } from './shell/run-command.ts';
import { loadSkills, type Skills } from './skills.ts';
import { type BadFrame, inCharacters, type Measure } from './wire/frames.ts';

export interface Parts {
  readonly settings: Settings;
  /** By their ids; only those whose connection is open. */
  readonly sessions: Map<string, Session>;
  readonly measure: Measure;
  refuseFrame(session: Session, fault: BadFrame, parts: Parts): void;
  hangUp(socket: Socket): void;
  /** The session that an answer goes to. */
  recipient(asker: Session, sessions: ReadonlyMap<string, Session>): Session;
  readonly once: Once;
  /** Undefined where no answer is due. */
  take(stimulus: Stimulus, parts: Parts): Promise<Decision | undefined>;
  degrade(text: string): Decision;
  readonly providers: readonly Provider[];
  think(question: Question, parts: Parts): Promise<Thought | undefined>;
  /** Whether a provider is asked again after this. */
  mayPass(error: unknown): boolean;
  decode(pieces: readonly Buffer[]): string;
  readAnswer(body: string, type: string, cut: boolean): Said;
  readonly skills: Skills;
  readonly heart: Heart;
  readonly events: EventLog;
  readonly gateways: Gateways;
  readonly messenger: Messenger | undefined;
  isSignedBy(secret: string, body: Buffer, signature: string): boolean;
  /** Whether an answer may still go out through a gateway. */
  maySpeak(gateway: Gateway, gateways: Gateways): Promise<boolean>;
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
    think: askProviders,
    mayPass,
    decode,
    readAnswer,
    skills,
    heart: createHeart(),
    events: openEventLog(settings.stateFolder),
    gateways: createGateways(fileShelf(settings.stateFolder)),
    messenger: settings.messenger && createMessenger(settings.messenger),
    isSignedBy,
    maySpeak,
    shell: { judge: judgeCommand, run: (command) => runCommand(command, settings.shellTimeoutMs) },
    health: examine,
    condition: { providersAnswer: true },
  };
}
