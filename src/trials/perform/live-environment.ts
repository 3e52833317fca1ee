/** A live environment, as performing needs it. */
import type { Earlier } from '../../checks/blame/reference/collect-earlier.ts';
import type { KeeperClient } from '../../environment/keeper/keeper-client.ts';
import type { JournalEvent } from '../../journal/event.ts';
import type { Redactor } from '../../journal/redaction.ts';
import type { Prepared } from '../../journal/topology.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { System } from '../../system/system.ts';

export interface LiveEnvironment {
  readonly system: System;
  /** The environment's short unique name. */
  readonly environment: string;
  /** Its disposable folder, removed with it even if we crash. */
  readonly workspace: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly ask: KeeperClient['ask'];
  /** Subscribes to the keeper's events from now on; the returned function unsubscribes. */
  onEvent(listener: (event: JournalEvent) => void): () => void;
  /** The state in which the jobs left its databases; read once. */
  prepared(): Promise<readonly Prepared[]>;
  /** What passed while its services started. */
  readonly earlier: Pick<Earlier, 'begin' | 'end'>;
  /** Called when the keeper is gone; the returned function unsubscribes, so that no finished attempt is retained. */
  onGone(listener: () => void): () => void;
}
