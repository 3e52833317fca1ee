/** An environment inside the test's own process, so that its dependencies can be made to fail. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { openHostPids } from '../../src/environment/containment/host-pids.ts';
import { type Ledger, openLedger } from '../../src/environment/containment/ledger.ts';
import { createEnvironment, type Environment } from '../../src/environment/environment.ts';
import type { JournalEventBody } from '../../src/journal/event.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { loadSystem } from '../../src/system/load-system.ts';
import type { Project } from '../harness/project.ts';

export interface InProcess {
  readonly environment: Environment;
  readonly events: readonly JournalEventBody[];
}

/** The ledger refuses its n-th entry as a full disk would. */
export async function environmentWithLedgerFault(project: Project, failingEntry: number): Promise<InProcess> {
  const system = await loadSystem({ file: path.join(project.folder, 'shakedown.yaml') }, process.env);
  const label = `step${failingEntry}`;
  const workspace = path.join(project.tmp, `shakedown-${label}`);
  const runFolder = path.join(project.folder, '.shakedown/runs', label);
  const cacheFolder = path.join(project.folder, '.shakedown/cache');
  for (const folder of [workspace, path.join(runFolder, 'services'), cacheFolder])
    mkdirSync(folder, { recursive: true });
  const events: JournalEventBody[] = [];
  const environment = createEnvironment({
    system,
    label,
    run: label,
    runFolder,
    workspace,
    cacheFolder,
    seed: label,
    variant: {},
    hostEnv: { ...process.env, ...project.env },
    clock: systemClock,
    emit: (event) => void events.push(event),
    ledger: faulty(openLedger(workspace, systemClock), failingEntry),
    hostPids: openHostPids(false),
  });
  return { environment, events };
}

function faulty(ledger: Ledger, failingEntry: number): Ledger {
  let entries = 0;
  return {
    ...ledger,
    write: (entry) => {
      entries += 1;
      if (entries === failingEntry)
        throw Object.assign(new Error('no space left on device, write'), { code: 'ENOSPC' });
      ledger.write(entry);
    },
  };
}
