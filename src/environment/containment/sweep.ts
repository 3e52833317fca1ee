/** Takes away what a crashed environment left: its processes, things it made elsewhere, its folder. */
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { redactFile } from '../../journal/redact-file.ts';
import { createRedactor, secretValues } from '../../journal/redaction.ts';
import type { Clock } from '../../kernel/clock.ts';
import { limits } from '../../kernel/limits.ts';
import { problemsIn } from '../../kernel/problem.ts';
import type { OutsideThing } from '../../resources/resource.ts';
import { driverFor } from '../../resources/resource-drivers.ts';
import type { Plan } from '../plan.ts';
import { removeTree } from '../remove-tree.ts';
import { socketName } from '../run-folder.ts';
import { releaseUpLock } from '../up-lock.ts';
import { withResourceUrl } from '../wiring/resource-url.ts';
import { bootId } from './boot-id.ts';
import { endProcesses } from './end-processes.ts';
import { type LedgerEntry, readLedger, runningCommands } from './ledger.ts';
import { marksOf } from './marker.ts';
import { openProcessTable, type ProcessIdentity } from './process-table.ts';
import { findVariables } from './sealed-variables.ts';

export interface Swept {
  readonly environment: string;
  readonly endedProcesses: number;
  readonly leftBehind: readonly string[];
}

export async function sweep(
  plan: Plan,
  clock: Clock,
  ownEnv: Readonly<Record<string, string | undefined>>,
  key?: string,
): Promise<Swept> {
  const { variables: hostEnv, doubt } = findVariables(plan, key, ownEnv);
  const entries = readLedger(plan.workspace);
  const leftBehind: string[] = [];
  const sameBoot = entries.some((entry) => entry.entry === 'environment' && entry.bootId === bootId(clock));
  const processes = sameBoot ? await endLeftovers(plan, clock, entries) : { ended: 0, left: [] };
  leftBehind.push(...processes.left);
  for (const entry of entries) {
    if (entry.entry === 'outside') leftBehind.push(...(await takeBack(plan, entry.thing, hostEnv)));
  }
  await redactLogs(plan, hostEnv, doubt);
  releaseUpLock(plan.system.folder, plan.run);
  rmSync(path.join(plan.runFolder, socketName), { force: true });
  // Inside a namespace a command outside of it cannot be reached; whoever comes next can.
  if (isNamespaceInit() && runningCommands(entries).length > 0)
    leftBehind.push('the command that was run beside it');
  // As long as something is left, the ledger stays: the next sweep needs it.
  if (leftBehind.length === 0) await removeTree(plan.workspace, 'ledger.ndjson');
  if (existsSync(plan.workspace)) leftBehind.push(`folder ${plan.workspace}`);
  const swept = { environment: plan.environment, endedProcesses: processes.ended, leftBehind };
  if (existsSync(plan.runFolder))
    writeFileSync(path.join(plan.runFolder, 'swept.json'), `${JSON.stringify(swept)}\n`, { mode: 0o600 });
  return swept;
}

function isNamespaceInit(): boolean {
  return process.pid === 1;
}

async function endLeftovers(
  plan: Plan,
  clock: Clock,
  entries: readonly LedgerEntry[],
): Promise<{ ended: number; left: readonly string[] }> {
  const table = openProcessTable();
  const marks = marksOf(plan);
  const written = entries.flatMap((entry) =>
    entry.entry === 'process' || entry.entry === 'command' ? [entry.process] : [],
  );
  const seen = new Set<number>();
  const find = (): readonly ProcessIdentity[] => {
    const alive = [...written.filter(table.isAlive), ...table.findMarked(marks)];
    for (const { pid } of alive) seen.add(pid);
    return alive;
  };
  const left = await endProcesses(table, clock, limits.killedSweepMs, find);
  return {
    ended: seen.size - left.length,
    left: left.map(({ pid }) => `process ${pid}: ${table.commandLine(pid)}`),
  };
}

async function takeBack(
  plan: Plan,
  thing: OutsideThing,
  hostEnv: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const spec = plan.system.resources.find(({ name }) => name === thing.resource);
  if (!spec) return [];
  try {
    const driver = await driverFor(spec);
    await driver.sweep(thing, withResourceUrl(spec, hostEnv), hostEnv);
    return [];
  } catch (error) {
    return [`${thing.kind} ${thing.databases.join(', ')}: ${problemsIn(error)[0]?.what}`];
  }
}

/** A log whose secrets cannot be taken out, because nobody here knows them, does not stay. */
async function redactLogs(
  plan: Plan,
  hostEnv: Readonly<Record<string, string | undefined>>,
  doubt: string | undefined,
): Promise<void> {
  const folder = path.join(plan.runFolder, 'services');
  if (!existsSync(folder) || plan.system.secrets.length === 0) return;
  const redactor = createRedactor(secretValues(plan.system.secrets, hostEnv));
  for (const name of readdirSync(folder)) {
    const file = path.join(folder, name);
    if (doubt === undefined) await redactFile(file, redactor);
    else writeFileSync(file, `(removed after a crash: ${doubt}, and could not be taken out)\n`);
  }
}
