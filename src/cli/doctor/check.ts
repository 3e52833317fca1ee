/** One thing that the doctor looks at, and what it can find. */
import type { Problem } from '../../kernel/problem.ts';
import type { Call } from '../verb.ts';
import type { ConfigLook } from './load-config.ts';
import type { SuiteLook } from './suite-look.ts';

/**
 * missing: nothing can be booted without it. broken: it is there and wrong, and the problems say how. failed: the system was asked,
 * and does not do what it should. skipped: nobody tried, and `next` is the command that does.
 */
export type CheckState = 'ok' | 'missing' | 'optional-missing' | 'broken' | 'failed' | 'skipped';

export interface Outcome {
  readonly state: CheckState;
  /** What was seen. */
  readonly detail: string;
  /** What to do about it; everything that is not ok has one. */
  readonly next?: string;
  readonly problems?: readonly Problem[];
}

export interface Check {
  readonly name: string;
  /** What it means when this cannot be had or does not answer. */
  readonly otherwise: 'missing' | 'optional-missing';
  /** A command with which a person sees why there is no answer. */
  readonly byHand?: string;
  /** A few seconds when absent. */
  readonly withinMs?: number;
  /** Undefined when it does not concern this machine or folder. After the signal nothing of it goes on. */
  look(surroundings: Surroundings, signal: AbortSignal): Promise<Outcome | undefined>;
}

export interface Surroundings {
  readonly call: Call;
  /** Where runs would lie: beside the config, or here when there is none. */
  readonly folder: string;
  /** Loaded once for all who ask; never rejects. */
  readonly config: Promise<ConfigLook>;
  readonly suite: Promise<SuiteLook>;
}

export interface Examined extends Outcome {
  readonly name: string;
}
