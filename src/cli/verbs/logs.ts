/** `shakedown logs`: the output of services, of the environment that is up or of the latest run. */
import { existsSync, readdirSync, realpathSync } from 'node:fs';
import path from 'node:path';
import { refuseOtherSecrets } from '../../environment/containment/sealed-variables.ts';
import { readPlan } from '../../environment/plan.ts';
import { latestRunFolder, logFile, runFolderOf } from '../../environment/run-folder.ts';
import { readUpLock } from '../../environment/up-lock.ts';
import { createRedactor, type Redactor, secretValues } from '../../journal/redaction.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { nearest } from '../../kernel/nearest.ts';
import { Problem } from '../../kernel/problem.ts';
import { listenForInterrupts } from '../interrupts.ts';
import { findLive, notUp } from '../live-environment.ts';
import { systemFolder } from '../open-system.ts';
import { type Call, optionText, type Verb } from '../verb.ts';
import { followLogs } from '../view/follow-logs.ts';

export const logs: Verb = {
  summary: 'show the output of services',
  usage: '[NAME…] [-f] [--tail N]',
  words: { atMost: Number.POSITIVE_INFINITY },
  options: {
    follow: { type: 'boolean', short: 'f', help: 'go on showing new lines until the environment goes down' },
    tail: { type: 'string', value: 'N', help: 'begin with the last N lines of each' },
  },
  run: async (call) => {
    const tail = tailLines(optionText(call, 'tail'));
    const folder = await systemFolder(call);
    const lock = readUpLock(folder);
    const runFolder = lock ? runFolderOf(folder, lock.run) : latestRunFolder(folder);
    if (!runFolder || !existsSync(path.join(runFolder, 'services'))) throw notUp(folder);
    const names = chosenNames(runFolder, call.words);
    const live = call.options.follow === true ? await findLive(folder, call.clock) : undefined;
    const interrupts = listenForInterrupts();
    const until = live ? Promise.race([live.client.gone, interrupts.first]) : Promise.resolve();
    await followLogs({
      call,
      files: names.map((name) => ({ name, file: logFile(runFolder, name) })),
      tail,
      redactor: redactorOf(runFolder, call.env),
      until,
    });
    live?.client.close();
    interrupts.stopListening();
    return exitCodes.held;
  },
};

function chosenNames(runFolder: string, wanted: readonly string[]): readonly string[] {
  const known = readdirSync(path.join(runFolder, 'services'))
    .map((file) => path.basename(file, '.log'))
    .sort();
  for (const name of wanted) {
    if (known.includes(name)) continue;
    const close = nearest(name, known);
    throw new Problem({
      code: 'usage.bad-value',
      where: 'shakedown logs',
      what: `nothing in this run is called ${JSON.stringify(name)}`,
      allowed: known.join(', '),
      next: close ? `did you mean \`shakedown logs ${close}\`?` : 'name one of these, or none to see all',
    });
  }
  return wanted.length > 0 ? wanted : known;
}

function tailLines(given: string | undefined): number | undefined {
  if (given === undefined || /^\d+$/.test(given)) return given === undefined ? undefined : Number(given);
  throw new Problem({
    code: 'usage.bad-value',
    where: 'shakedown logs --tail',
    what: `${JSON.stringify(given)} is no number of lines`,
    allowed: 'a whole number, 0 or more',
    next: 'for example: shakedown logs --tail 20',
  });
}

/** What the environment of these logs declared as secret; one that was given up early has no plan, and no logs worth hiding. */
function redactorOf(runFolder: string, env: Call['env']): Redactor {
  const folder = path.dirname(realpathSync(path.join(runFolder, 'services')));
  if (!existsSync(path.join(folder, 'plan.json'))) return createRedactor({});
  const plan = readPlan(folder);
  // Of one that is down, they have been taken out.
  if (existsSync(plan.workspace)) refuseOtherSecrets(plan, env);
  return createRedactor(secretValues(plan.system.secrets, env));
}
