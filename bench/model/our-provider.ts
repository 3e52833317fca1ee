/** Our provider as a process of its own, with the journal that a keeper writes: `our-provider.ts <folder>`. Prints its port. */

import path from 'node:path';
import { journalVersion } from '../../src/journal/event.ts';
import { createRedactor } from '../../src/journal/redaction.ts';
import { openJournal } from '../../src/journal/writer.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { createRandom } from '../../src/kernel/random.ts';
import { modelDriver } from '../../src/resources/model/driver/model-driver.ts';
import type { ScriptLine } from '../../src/resources/model/script-line.ts';
import type { ResourceContext } from '../../src/resources/resource.ts';
import { leastMs, longAnswer, pieceChars, questions, shortAnswer, slowMs } from './exchanges.ts';

const folder = process.argv[2] ?? '.';
const journal = openJournal({
  file: path.join(folder, 'events.ndjson'),
  header: {
    journal: journalVersion,
    run: 'bench',
    environment: 'bench',
    system: 'bench',
    seed: 'bench',
    tool: 'bench',
    startedAt: new Date(systemClock.now()).toISOString(),
  },
  clock: systemClock,
  redactor: createRedactor({ KEY: 'sk-bench-secret' }),
  onFailure: (error) => {
    throw error;
  },
});

const context: Pick<ResourceContext, 'clock' | 'random' | 'consumers' | 'emit' | 'at' | 'hostEnv'> = {
  clock: systemClock,
  random: createRandom('bench'),
  consumers: [],
  emit: journal.emit,
  at: journal.at,
  hostEnv: {},
};

const provider = await modelDriver.provision(
  {
    kind: 'model',
    name: 'model',
    mode: 'script',
    strict: false,
    standing: {},
    fixtures: [],
    upstreams: {},
    prices: {},
    cassettes: folder,
    timing: 'compressed',
  },
  context as ResourceContext,
);
await provider.peer?.begin({
  trial: 'bench',
  attempt: 1,
  seed: 'bench',
  script: {
    outside: [
      line(questions.short, { says: shortAnswer }),
      line(questions.long, { says: longAnswer, pieceChars }),
      line(questions.paced, { says: longAnswer, pieceChars, paceMs: leastMs }),
      line(questions.slow, { says: longAnswer, pieceChars, paceMs: slowMs }),
    ],
  },
});
process.stdout.write(`${provider.endpoint.port}\n`);

function line(question: string, shown: ScriptLine): ScriptLine {
  return { ...shown, when: { text: { $contains: question } }, times: 'any' };
}
