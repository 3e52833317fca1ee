/** A live environment as a performance needs it. */
import type { KeeperClient } from '../../environment/keeper/keeper-client.ts';
import type { JournalEvent } from '../../journal/event.ts';
import type { Redactor } from '../../journal/redaction.ts';
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
  /** Settles when the keeper is gone. */
  readonly gone: Promise<void>;
}
