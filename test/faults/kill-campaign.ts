/** Kills our own processes at seeded times of a run, and reports what was left five seconds later. */

import { setTimeout as pause } from 'node:timers/promises';
import { createRandom } from '../../src/kernel/random.ts';
import type { Leftovers } from '../harness/leftovers.ts';
import { endIfThere, type Project } from '../harness/project.ts';
import { isNothing } from '../harness/until.ts';

export type Role = 'cli' | 'keeper' | 'guard';

export interface Kill {
  readonly seed: string;
  readonly containment: 'namespace' | 'ledger';
  readonly roles: readonly Role[];
  readonly afterMs: number;
}

export interface KillOutcome extends Kill {
  /** Those of the roles that existed at that time. */
  readonly killed: readonly string[];
  readonly left: Leftovers;
  /** Only the next command removed the rest. */
  readonly reaped: boolean;
}

const choices: ReadonlyArray<readonly Role[]> = [
  ['cli'],
  ['keeper'],
  ['guard'],
  ['cli', 'keeper'],
  ['cli', 'guard'],
  ['keeper', 'guard'],
  ['cli', 'keeper', 'guard'],
];

export const nastySystem = `
name: nasty
resources:
  db: { kind: postgres }
jobs:
  setup: { run: [sh, -c, "echo set up; sleep 0.1"], env: { DATABASE_URL: "\${db.url}" } }
services:
  leaker: { run: [node, services/leaks-children.mjs], listen: { env: PORT }, after: [setup] }
  deaf: { run: [node, services/ignores-sigterm.mjs], listen: { env: PORT }, after: [setup] }
  plain: { run: [node, services/answers.mjs], listen: { env: PORT }, env: { DATABASE_URL: "\${db.url}" }, after: [leaker] }
`;

/** The same number gives the same kill; numbers in a row go through every choice of victims in both containments. */
export function chooseKill(number: number, longestMs: number): Kill {
  const seed = `kill-${number}`;
  const roles = choices[number % choices.length] as readonly Role[];
  const containment = Math.floor(number / choices.length) % 2 === 0 ? 'namespace' : 'ledger';
  return { seed, containment, roles, afterMs: createRandom(seed).integer(0, longestMs) };
}

export async function performKill(project: Project, kill: Kill): Promise<KillOutcome> {
  const cli = project.start(['up', '--containment', kill.containment]);
  cli.stdout?.resume();
  cli.stderr?.resume();
  await pause(kill.afterMs);
  const victims = findOurs(project, cli.pid).filter(({ role }) => kill.roles.includes(role));
  for (const { pid } of victims) endIfThere(pid);
  // When only some existed yet, the rest of the run must not continue forever: its launcher is killed as well.
  if (victims.length === 0) endIfThere(cli.pid as number);
  const killed = victims.length === 0 ? ['cli (no other process existed)'] : victims.map(({ role }) => role);
  const isEvery = kill.roles.length === 3 || (killed.length === 1 && victims.length === 0);
  let left = await emptyWithin(project, 5_000);
  let reaped = false;
  if (!isNothing(left) && isEvery && kill.containment === 'ledger') {
    reaped = true;
    await project.run(['down']);
    left = await emptyWithin(project, 5_000);
  }
  return { ...kill, killed, left, reaped };
}

/** The survivor of a partial kill may be the CLI, which reports before it ends. */
async function emptyWithin(project: Project, withinMs: number): Promise<Leftovers> {
  const endsAt = performance.now() + withinMs;
  for (;;) {
    const left = project.left();
    if (isNothing(left) || performance.now() > endsAt) return left;
    await pause(50);
  }
}

interface Ours {
  readonly role: Role;
  readonly pid: number;
}

function findOurs(project: Project, cliPid: number | undefined): Ours[] {
  return project.left().processes.flatMap(({ pid, commandLine }): Ours[] => {
    if (pid === cliPid) return [{ role: 'cli', pid }];
    if (commandLine.startsWith('shakedown-keeper') || /^\S*node\S* \S*keeper-main/.test(commandLine))
      return [{ role: 'keeper', pid }];
    if (commandLine.startsWith('sh -c') && commandLine.includes('mkfifo')) return [{ role: 'guard', pid }];
    return [];
  });
}
