/** A single check of the doctor, and its possible results. */
import type { Problem } from '../../../kernel/problem.ts';
import type { Host } from '../../session/host.ts';
import type { ConfigLook, SuiteLook } from '../load-project.ts';

/**
 * missing: nothing can boot without it. broken: it exists but is faulty, as the problems explain. failed: the system
 * was tried and does not do what it should. skipped: not tried, and `next` is the command that does.
 */
export type CheckState = 'ok' | 'missing' | 'optional-missing' | 'broken' | 'failed' | 'skipped';

export interface Outcome {
  readonly state: CheckState;
  /** What was found. */
  readonly detail: string;
  /** What to do about it; present unless the state is ok. */
  readonly next?: string;
  readonly problems?: readonly Problem[];
}

export interface Check {
  readonly name: string;
  /** The state when the check fails or does not answer. */
  readonly otherwise: 'missing' | 'optional-missing';
  /** A command that shows by hand why there is no answer. */
  readonly byHand?: string;
  /** A few seconds when absent. */
  readonly withinMs?: number;
  /** Undefined when it does not apply to this machine or folder. Stops all its work on the signal. */
  look(surroundings: Surroundings, signal: AbortSignal): Promise<Outcome | undefined>;
}

export interface Surroundings {
  readonly host: Host;
  /** Where runs are stored: beside the config, or here when there is none. */
  readonly folder: string;
  /** Loaded once for all checks; never rejects. */
  readonly config: Promise<ConfigLook>;
  readonly suite: Promise<SuiteLook>;
}

export interface Examined extends Outcome {
  readonly name: string;
}
