/** The source of a recording: the calls of an attempt, and facts about the system. Pure. */
import type { TrialRecord } from '../../checks/trial-record.ts';
import { type CallEvent, isStoreCall } from '../../journal/call-event.ts';
import type { ModelCalled, PeerCalled } from '../../journal/peer-event.ts';
import { type AttemptEvent, eventsOf } from '../../journal/trial-event.ts';
import { edgeOf } from '../../kernel/edge-name.ts';
import { stepKind } from '../../kinds/step-kinds.ts';

export interface RecordedAttempt {
  readonly uid: string;
  /** In the order in which they began. */
  readonly calls: readonly CallEvent[];
  readonly peerCalls: readonly PeerCalled[];
  /** Model calls that a standing line answered. */
  readonly standing: readonly ModelCalled[];
  /** Steps that are not an exchange, such as a restart: `kill-it (kill)`. */
  readonly otherSteps: readonly string[];
  readonly disturbed: readonly string[];
}

export interface RecordedSystem {
  readonly name: string;
  /** Names of resources, by kind. */
  readonly models: readonly string[];
  readonly peers: readonly RecordedPeer[];
  /** Receivers, whose calls are ignored. */
  readonly receivers: readonly string[];
  readonly secrets: readonly string[];
  /** Edges to tool servers over stdio, with the program that is started. */
  readonly stdio: Readonly<Record<string, string>>;
}

export interface RecordedPeer {
  readonly name: string;
  readonly callbacks: Readonly<Record<string, string>>;
}

/** The origin of a recording. */
export interface RecordingSource {
  readonly trial: string;
  readonly run: string;
  readonly tool: string;
  readonly startedAt: string;
  readonly revision: string | null;
}

export function recordedAttempt(events: readonly AttemptEvent[]): RecordedAttempt {
  const [started] = eventsOf(events, 'attempt.started');
  return {
    uid: started?.uid ?? '',
    calls: eventsOf(events, 'call')
      .filter((call) => !isStoreCall(call))
      .sort((a, b) => a.startedAt - b.startedAt),
    peerCalls: eventsOf(events, 'peer.called'),
    standing: eventsOf(events, 'model.called').filter(
      ({ mode, line, fault }) => mode === 'script' && line === undefined && !fault,
    ),
    otherSteps: otherSteps(started?.trial),
    disturbed: eventsOf(events, 'disturbance.felt').map((felt) => `${edgeOf(felt)}: ${felt.what}`),
  };
}

function otherSteps(trial: unknown): readonly string[] {
  const { steps = [] } = (trial ?? {}) as Partial<Pick<TrialRecord, 'steps'>>;
  const leaveNoCall = steps.filter(({ driver }) => {
    const { recorder, onlyWaits } = stepKind(driver);
    return !recorder && !onlyWaits;
  });
  return leaveNoCall.map(({ name, driver }) => `${name} (${driver})`);
}

/** The comment at the top of everything that is made from a recording. */
export function recordingHead(
  what: string,
  { trial, run, tool, startedAt, revision }: RecordingSource,
): string {
  const at = revision === null ? '' : `, at revision ${revision.slice(0, 12)}`;
  return `# ${what} in ${trial}\n# recorded ${startedAt} by ${tool}, run ${run}${at}`;
}

/** Whether something crossed the edge after the answer to the last step. */
export function isLate({ calls }: RecordedAttempt, edge: string): boolean {
  const ends = calls.filter(({ from }) => from === 'outside').map(({ endedAt }) => endedAt);
  return calls.some((call) => edgeOf(call) === edge && call.endedAt > Math.max(0, ...ends));
}
