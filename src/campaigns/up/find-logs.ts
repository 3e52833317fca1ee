/** The logs of services: of the environment that is up, or of the latest run. */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { refuseOtherSecrets } from '../../environment/containment/sealed-variables.ts';
import { type Plan, readPlan } from '../../environment/plan.ts';
import { latestRunFolder, logFile, runFolderOf } from '../../environment/run-folder.ts';
import { readUpLock } from '../../environment/up-lock.ts';
import { createRedactor, type Redactor, secretValues } from '../../journal/redaction.ts';
import { nearest } from '../../kernel/nearest.ts';
import { badUsage } from '../../kernel/problem.ts';
import { attachedNames } from '../../system/attached/attached-services.ts';
import type { Host } from '../session/host.ts';
import { notUp } from '../session/live-environment.ts';
import { systemFolder } from '../session/open-system.ts';

/** Of the services that are named, or of all; of the folder of a run, or of one of its environments, where it is given. */
export async function findLogs(host: Host, wanted: readonly string[], asked?: string) {
  const folder = await systemFolder(host);
  const lock = asked === undefined ? readUpLock(folder) : undefined;
  const runFolder = asked ?? (lock ? runFolderOf(folder, lock.run) : latestRunFolder(folder));
  if (!runFolder || !existsSync(path.join(runFolder, 'services'))) throw notUp(folder);
  const files = chosenNames(runFolder, wanted).map((name) => ({ name, file: logFile(runFolder, name) }));
  return { systemFolder: folder, files, redactor: redactorOf(runFolder, host.env) };
}

function chosenNames(runFolder: string, wanted: readonly string[]): readonly string[] {
  const theirs = namesOfOthers(runFolder);
  const asked = wanted.find((name) => theirs.includes(name));
  if (asked !== undefined)
    throw badUsage(
      'shakedown logs',
      `${asked} is somebody else's (\`at\`): what it prints cannot be seen`,
      'the logs of services that Shakedown has started',
      'look where it runs; what was sent to it is in the journal',
    );
  const known = readdirSync(path.join(runFolder, 'services'))
    .map((file) => path.basename(file, '.log'))
    .filter((name) => !theirs.includes(name))
    .sort();
  const unknown = wanted.find((name) => !known.includes(name));
  if (unknown === undefined) return wanted.length > 0 ? wanted : known;
  const close = nearest(unknown, known);
  throw badUsage(
    'shakedown logs',
    `nothing in this run is named ${JSON.stringify(unknown)}`,
    known.join(', '),
    close ? `did you mean \`shakedown logs ${close}\`?` : 'name one of these, or none to see all',
  );
}

function namesOfOthers(runFolder: string): readonly string[] {
  const plan = planOf(runFolder);
  return plan ? attachedNames(plan.system) : [];
}

/** An environment that was abandoned early has no plan. */
function planOf(runFolder: string): Plan | undefined {
  const folder = path.dirname(realpathSync(path.join(runFolder, 'services')));
  return existsSync(path.join(folder, 'plan.json')) ? readPlan(folder) : undefined;
}

function redactorOf(runFolder: string, env: Host['env']): Redactor {
  const plan = planOf(runFolder);
  if (!plan) return createRedactor({});
  // Once an environment is down, its logs are already redacted.
  if (existsSync(plan.workspace)) refuseOtherSecrets(plan, env);
  return createRedactor(secretValues(plan.system.secrets, env));
}
