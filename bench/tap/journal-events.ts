/** Writes events as a run does, with a secret to look for; from time to time in a new file, because one of them can be full. */
import { rmSync } from 'node:fs';
import type { Emit } from '../../src/journal/event.ts';
import { createRedactor } from '../../src/journal/redaction.ts';
import { openJournal } from '../../src/journal/writer.ts';
import { systemClock } from '../../src/kernel/clock.ts';

const eventsOfFile = 50_000;

export function journalEvents(file: string): Emit {
  const redactor = createRedactor({ password: 'a-secret-of-some-length' });
  const open = () => {
    rmSync(file, { force: true });
    return openJournal({
      file,
      clock: systemClock,
      redactor,
      header: {
        journal: 1,
        run: 'bench',
        environment: 'bench',
        system: 'bench',
        seed: '',
        tool: '',
        startedAt: '',
      },
      onFailure: (error) => {
        throw error;
      },
    });
  };
  let journal = open();
  let events = 0;
  return (event) => {
    events += 1;
    if (events % eventsOfFile === 0) {
      journal.close();
      journal = open();
    }
    journal.emit(event);
  };
}
