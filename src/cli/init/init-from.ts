/** `shakedown init --from`: writes a config, boots it to see what answers, and writes a first trial from that. */
import path from 'node:path';
import { firstTrial } from '../../campaigns/init/first-trial.ts';
import { type TriedOut, tryOut } from '../../campaigns/init/try-out.ts';
import { refuseTaken, writeFiles } from '../../campaigns/init/write-project.ts';
import { type Interrupts, withInterrupts } from '../../campaigns/session/interrupts.ts';
import { openSystem } from '../../campaigns/session/open-system.ts';
import { type ExitCode, exitCodes, interruptExitCode } from '../../kernel/exit-codes.ts';
import { removeFile } from '../../kernel/folders/entries-below.ts';
import { Problem, Problems, problemToData } from '../../kernel/problem.ts';
import { shellWord } from '../../kernel/shell-word.ts';
import { deriveConfig } from '../../system/derive/derive-config.ts';
import type { DerivedConfig, Learned } from '../../system/derive/derived-config.ts';
import type { System } from '../../system/system.ts';
import { print, printProblems } from '../call/print.ts';
import type { Call } from '../call/verb.ts';

const configName = 'shakedown.yaml';
const trialName = 'trials/first.trial.yaml';
/** A service that waits for one that has ended is only seen to end the next time. */
const mostBoots = 4;

export async function initFrom(call: Call, source: string): Promise<ExitCode> {
  const derived = await deriveConfig(source, call);
  await refuseTaken(derived.folder, [configName, trialName]);
  return withInterrupts(async (interrupts) => {
    const { system, tried } = await bootUntilKnown(call, derived, interrupts);
    const trial = firstTrial(derived.source, system, tried.answered, derived.embeddable);
    if (derived.isThere && (trial === undefined || tried.problems.length > 0)) {
      removeFile(path.join(derived.folder, configName));
      throw tried.problems.length > 0 ? new Problems(tried.problems) : noAnswer(derived.source);
    }
    if (trial !== undefined) await writeFiles(derived.folder, new Map([[trialName, trial]]));
    report(call, derived, tried, trial === undefined ? [configName] : [configName, trialName]);
    const signal = interrupts.received();
    if (signal) return interruptExitCode(signal);
    return tried.problems[0]?.exitCode ?? exitCodes.held;
  });
}

/** A program that turns out to run once becomes a job, a store without an image is embedded, and the system is booted again. */
async function bootUntilKnown(
  call: Call,
  derived: DerivedConfig,
  interrupts: Interrupts,
): Promise<{ readonly system: System; readonly tried: TriedOut }> {
  const jobs = new Set<string>();
  const embedded = new Set<string>();
  for (let boot = 1; ; boot += 1) {
    const system = await written(call, derived, { jobs, embedded });
    call.say(boot === 1 ? 'booting it once, to see what answers …' : 'booting it again …', 'dim');
    const tried = await tryOut(call, system, interrupts);
    const once = tried.ended.filter((name) => !jobs.has(name));
    const stores = tried.imageless.filter((name) => derived.embeddable?.has(name) && !embedded.has(name));
    const isKnown = once.length + stores.length === 0;
    if (isKnown || boot === mostBoots || interrupts.received()) return { system, tried };
    for (const name of once) jobs.add(name);
    for (const name of stores) embedded.add(name);
    if (once.length > 0) call.say(`runs once, and is a job: ${once.join(', ')}`, 'dim');
    if (stores.length > 0) call.say(`has no image, and is embedded: ${stores.join(', ')}`, 'dim');
  }
}

/** A config that is refused does not stay, unless it lacks nothing but a person who allows what it asks for. */
async function written(call: Call, { folder, yaml, withheld = [] }: DerivedConfig, learned: Learned) {
  const file = path.join(folder, configName);
  if (learned.jobs.size + learned.embedded.size > 0) removeFile(file);
  await writeFiles(folder, new Map([[configName, yaml(learned)]]));
  try {
    return await openSystem({ ...call, config: file });
  } catch (error) {
    if (withheld.length === 0) removeFile(file);
    else
      call.say(
        `wrote ${configName}, and booted nothing: ${withheld.join('; ')}. Allow it there, or remove it`,
      );
    throw error;
  }
}

function report(
  call: Call,
  { folder, ...derived }: DerivedConfig,
  { problems, died }: TriedOut,
  written: readonly string[],
): void {
  const notes = [
    ...derived.notes,
    ...died.map((name) => `${name} died while it was asked by GET at the usual paths; see shakedown up`),
  ];
  const shown = (name: string): string => path.join(path.relative(call.cwd, folder), name);
  const files = written.map(shown);
  const errors = problems.map(problemToData);
  const relative = path.relative(call.cwd, folder);
  const enter = relative === '' ? '' : `cd ${shellWord(relative)} && `;
  if (!call.json) printProblems(call, problems);
  print(call, { written: files, notes, ...(errors.length > 0 ? { errors } : {}) }, () => [
    ...files.map((file) => `wrote ${file}`),
    ...notes.map((note) => `note: ${note}`),
    ...(errors.length > 0 ? ['it did not boot yet: correct what is said above in shakedown.yaml'] : []),
    `\nnext: ${enter}shakedown run && shakedown sabotage`,
  ]);
}

function noAnswer(source: string): Problem {
  return new Problem({
    code: 'usage.bad-value',
    where: 'shakedown init --from',
    what: `what listens at ${source} does not answer over HTTP`,
    allowed: 'a service that answers GET with a status below 500 at / or at one of the usual paths',
    next: `look at it: curl -i ${source}`,
  });
}
