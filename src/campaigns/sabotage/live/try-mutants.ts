/** Performs trials under mutants, one at a time in each of several environments, and judges each attempt. */

import path from 'node:path';
import { readTrialJournal } from '../../../journal/trial-journal.ts';
import { createRandom } from '../../../kernel/random.ts';
import type { Isolation, System } from '../../../system/system.ts';
import { perform } from '../../../trials/attempt/perform.ts';
import type { LiveEnvironment } from '../../../trials/perform/live-environment.ts';
import { type BudgetAccount, openBudgetAccount } from '../../run/budget-account.ts';
import type { EnvironmentHolder, EnvironmentSource } from '../../run/environment-holder.ts';
import { trialFolder } from '../../run/read-attempt.ts';
import type { RunIdentity } from '../../run/run-plan.ts';
import { headerOf, leavesBroken, whyGone } from '../../run/run-trials.ts';
import { workInEnvironments } from '../../run/work-in-environments.ts';
import { judgeMutatedAttempt, type MutantVerdict } from './judge-mutated-attempt.ts';
import { placeMutant } from './place-mutant.ts';
import type { MutatedTrial } from './plan-mutants.ts';
import { shortenedTrial } from './shortened-trial.ts';

export interface TryOptions {
  readonly system: System;
  readonly attempts: readonly MutatedTrial[];
  /** How many environments at once. */
  readonly parallel: number;
  readonly environments: EnvironmentSource;
  /** Where the journals go. */
  readonly folder: string;
  readonly about: Omit<RunIdentity, 'variant'>;
  readonly clock: { now(): number };
  /** Of the machine, at this moment. */
  readonly slowness: () => number;
  /** Aborted when the caller is interrupted: running attempts are abandoned. */
  readonly signal: AbortSignal;
  /** Aborted when time is up: running attempts continue, and nothing more is started. */
  readonly enough: AbortSignal;
  readonly onTried: (tried: TriedMutant) => void;
}

export interface TriedMutant extends MutatedTrial, MutantVerdict {
  /** Where it was met, and how often. */
  readonly feltOn: ReadonlyMap<string, number>;
  /** Of its journal. */
  readonly folder: string;
}

export async function tryMutants(options: TryOptions) {
  const { attempts, signal, enough } = options;
  const workers = Math.min(options.parallel, Math.max(1, attempts.length));
  const account = openBudgetAccount(options.system, workers);
  const tried: TriedMutant[] = [];
  const { problems, endProblems, leaks } = await workInEnvironments<MutatedTrial>({
    tasks: attempts.map((work) => ({ groups: work.stored.trial.groups, work })),
    workers,
    environments: options.environments,
    ends: [signal, enough],
    perform: async (work, holder, before) => {
      const { isolation } = work.stored;
      // State that a service kept from one mutant must not affect the next.
      const isOther = before !== undefined && nameOf(before) !== nameOf(work);
      const environment = await holder.prepare(isOther ? atLeastRestart(isolation) : isolation);
      if (signal.aborted || enough.aborted) return 'stop';
      const one = await tryOne(options, work, environment, holder, account).catch(async (error: unknown) => {
        const because = whyGone(error);
        await holder.used(true);
        return { ...work, outcome: 'undecided' as const, because, feltOn: new Map(), folder: '' };
      });
      if (!one) return 'stop';
      tried.push(one);
      options.onTried(one);
      return 'go-on';
    },
  });
  const done = new Set(tried.map(keyOf));
  return {
    tried,
    left: attempts.filter((one) => !done.has(keyOf(one))),
    problems: [...problems, ...endProblems.filter(({ family }) => family !== 'system')],
    leaks,
  };
}

function nameOf({ mutant: { service, mutant } }: MutatedTrial): string {
  return `${service} ${mutant}`;
}

function keyOf({ mutant, stored }: MutatedTrial): string {
  return JSON.stringify([mutant.service, mutant.mutant, stored.trial.record.id]);
}

function atLeastRestart(isolation: Isolation): Isolation {
  return isolation === 'shared' ? 'restart' : isolation;
}

/** Undefined when the budget is spent. */
async function tryOne(
  options: TryOptions,
  { mutant, stored }: MutatedTrial,
  environment: LiveEnvironment,
  holder: EnvironmentHolder,
  account: BudgetAccount,
): Promise<TriedMutant | undefined> {
  const { about, clock, signal } = options;
  const { trial, view } = stored;
  const { id } = trial.record;
  const loan = account.lend(trial.budget);
  if (loan === 'spent') return undefined;
  const folder = path.join(options.folder, mutant.service, mutant.mutant, trialFolder(id, 1));
  let isTouched = false;
  const died: string[] = [];
  const stopLooking = environment.onEvent((event) => {
    loan.saw(event);
    isTouched ||= touching.has(event.type);
    if (event.type === 'node.exited' && !event.expected && event.name !== mutant.service)
      died.push(event.name);
  });
  const placed = await placeMutant(environment, mutant);
  if ((await placed.felt()) > 0) await environment.ask('quiet', afterResets);
  const fallen = [...died];
  const ending = await perform(shortenedTrial(trial, view, options.slowness()), {
    environment: impatient(environment),
    budgets: loan.budgets,
    folder,
    uid: `trial-${createRandom(about.seed).fork(`${mutant.service}/${mutant.mutant}/${id}`).hex(12)}`,
    signal,
    header: headerOf(about, trial, 1, environment, clock.now()),
  }).finally(() => loan.giveBack());
  const isBroken = leavesBroken(ending);
  const isGone = ending.end === 'environment-broken';
  // Once the mutant is lifted, every event about it has arrived.
  if (!isGone) await placed.lift();
  const feltOn = isGone ? new Map<string, number>() : await placed.feltOn();
  stopLooking();
  // If no connection was accepted, nothing changed: the next trial finds the environment unchanged.
  if (isTouched || isBroken) await holder.used(isBroken);
  const { events } = await readTrialJournal(folder);
  const verdict = judgeMutatedAttempt(events, mutant, feltOn);
  return { mutant, stored, folder, feltOn, ...afterFall(verdict, fallen) };
}

const touching = new Set<string>(['connection.opened', 'call', 'disturbance.felt']);

/** What services do because their open connections are reset is over before the attempt begins, and is the same each time. */
const afterResets = { settleMs: 100, withinMs: 500 };

/** A service that did not survive the mutant, and ended before the first step, would have failed the trial a moment later. */
function afterFall(verdict: MutantVerdict, fallen: readonly string[]): MutantVerdict {
  const [name] = fallen;
  if (verdict.outcome !== 'survived' || name === undefined) return verdict;
  return { outcome: 'killed', because: `${name} ended by itself` };
}

const mostQuietMs = 1_500;

/** A process under a mutant may never become quiet. */
function impatient(environment: LiveEnvironment): LiveEnvironment {
  const ask: LiveEnvironment['ask'] = (request, params) =>
    request === 'quiet' && 'withinMs' in params
      ? environment.ask(request, { ...params, withinMs: Math.min(params.withinMs, mostQuietMs) })
      : environment.ask(request, params);
  return { ...environment, ask };
}
