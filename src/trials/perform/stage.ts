/** A live environment as a performance needs it. */
import type { KeeperClient } from '../../environment/keeper/keeper-client.ts';
import type { JournalEvent } from '../../journal/event.ts';
import type { Redactor } from '../../journal/redaction.ts';
import type { Prepared } from '../../journal/topology.ts';
import type { Clock } from '../../kernel/clock.ts';
import type { System } from '../../system/system.ts';

export interface Stage {
  readonly system: System;
  /** The environment's short unique name. */
  readonly environment: string;
  /** Its disposable folder: gone with it, whatever happens to us. */
  readonly workspace: string;
  readonly clock: Clock;
  readonly redactor: Redactor;
  readonly hostEnv: Readonly<Record<string, string | undefined>>;
  readonly ask: KeeperClient['ask'];
  /** What the keeper tells from now on; the returned function ends it. */
  onEvent(listener: (event: JournalEvent) => void): () => void;
  /** How the jobs left its databases; looked at once. */
  prepared(): Promise<readonly Prepared[]>;
  /** Called when the keeper is gone; the returned function ends it, so that nothing of an attempt is held longer than it lasts. */
  onGone(listener: () => void): () => void;
}
