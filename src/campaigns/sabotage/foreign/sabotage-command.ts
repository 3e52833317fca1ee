/** Runs the team's tests under each mutant, names those that stay green, and compares with the baseline. */
import path from 'node:path';
import { writeFindings } from '../../../journal/write-redacted.ts';
import { exitCodes } from '../../../kernel/exit-codes.ts';
import { type CommandRequest, openCommandSession } from '../../observe/open-command-session.ts';
import { createEnvironmentHolder } from '../../run/environment-holder.ts';
import type { Host } from '../../session/host.ts';
import { type Interrupts, sessionExitCode } from '../../session/interrupts.ts';
import { environmentsOf } from '../../session/open-session.ts';
import type { IsJudged } from '../baseline.ts';
import { type BaselineChange, readBaseline, settleBaseline } from '../baseline-file.ts';
import type { ForeignSabotage } from './foreign-sabotage.ts';
import { type ForeignOptions, sabotageForeign } from './sabotage-foreign.ts';

export type SabotagedCommand = Awaited<ReturnType<typeof sabotageCommand>>;

export async function sabotageCommand(
  host: Host,
  request: CommandRequest & BaselineChange,
  interrupts: Interrupts,
  view: Pick<ForeignOptions, 'onHealthy' | 'onMutant'>,
) {
  const session = await openCommandSession(host, request, interrupts, 'sabotage --live');
  const { system, endings, folder, redactor, command } = session;
  // An unreadable baseline is reported before anything boots.
  const read = await readBaseline(system.folder);
  const holder = createEnvironmentHolder(environmentsOf(session, host.say));
  const { sabotage, healthy, ...rest } = await sabotageForeign({
    command,
    system,
    holder,
    isolation: system.isolation === 'fresh' ? 'fresh' : 'restart',
    clock: host.clock,
    show: request.show,
    ...view,
  }).catch(async (error: unknown) => {
    await holder.end();
    throw error;
  });
  const end = await holder.end();
  endings.stopListening();
  // What a mutant broke is not the system's fault; that it did not come up again afterwards is reported.
  const problems = [...rest.problems, ...end.problems.filter(({ family }) => family !== 'system')];
  const leaks = [...rest.left, ...end.leaks];
  const interruptedBy = endings.interruptedBy();
  const change = interruptedBy === undefined ? request : undefined;
  const held = await settleBaseline(read, 'foreign', sabotage.findings, change, judgedBy(sabotage));
  writeFindings(path.join(folder, 'sabotage.json'), sabotage, redactor);
  const isHonest = held.open.length === 0 && held.stale.length === 0 && sabotage.mutants > 0;
  const exitCode = sessionExitCode(interruptedBy, [
    isHonest ? exitCodes.held : exitCodes.dishonest,
    ...problems.map((problem) => problem.exitCode),
    ...(leaks.length > 0 ? [exitCodes.leftBehind] : []),
  ]);
  return { sabotage, ...held, seen: healthy.seen, leaks, problems, exitCode, runFolder: session.shown };
}

/** A mutant that was not applied this time, or a test that did not run, says nothing about an accepted finding. */
function judgedBy({ tests, runs }: ForeignSabotage): IsJudged<'foreign'> {
  const known = new Set(tests.map(({ id }) => id));
  const shown = new Set(
    runs.filter(({ outcome }) => outcome === 'judged').map(({ service, mutant }) => `${service} ${mutant}`),
  );
  return ({ service, mutant, test }) =>
    known.has(test) && (service === '*' || shown.has(`${service} ${mutant}`));
}
