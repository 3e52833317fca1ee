/** What the suite of drivers needs from one driver: how to set up each situation. */
import type { Act, ActError, DriverContext } from '../../src/drivers/driver.ts';

/** A driver of the suite. To add one, write its subject and name it in driver-conformance.test.ts. */
export interface DriverSubject {
  readonly name: string;
  /** Sets up each behaviour of the other side. Everything is real: sockets, programs. */
  readonly situations: Readonly<Record<Situation, (ground: Ground) => Promise<Stage>>>;
  /** Steps that cannot begin: no such target, no such file, a message that has no bytes. */
  readonly impossible: Readonly<Record<string, (ground: Ground) => Promise<Stage>>>;
}

export const situations = [
  /** It does what it should. */
  'answers',
  /** It reads everything and sends nothing. */
  'hangs',
  /** It reads everything and closes without an answer. */
  'closes',
  /** It reads everything and breaks off. */
  'resets',
  /** It sends an unreadable answer. */
  'garbage',
  /** It answers when `release` is called, which is after the deadline. */
  'late',
  /** Nothing listens. */
  'refuses',
] as const;

export type Situation = (typeof situations)[number];

export interface Stage {
  /** Begins the act. The context has its deadline. */
  start(context: DriverContext): Started;
  /** Bytes that reached the other side; where they cannot be counted, 1 when any did. */
  heardBytes(): number;
  /** For `late`: the other side answers now. */
  release?(): Promise<void>;
  /** Our resources that the other side still sees, such as connections. */
  left(): readonly string[];
  /** The error that the evidence must contain; undefined for none. */
  readonly error?: ActError['kind'];
  /** A part of the evidence once the act is done. */
  readonly evidence?: Readonly<Record<string, unknown>>;
  /** A connection stays open, so what comes after the deadline is evidence, too. */
  readonly growsAfterDone?: true;
}

export interface Started {
  readonly act: Act;
  /** Ends what outlives the act. */
  close(): Promise<void>;
}

export interface Ground {
  /** A folder of this test's own. */
  readonly folder: string;
  /** Run when the test is over. */
  afterwards(work: () => Promise<void> | void): void;
}
