/** Boots the system, runs the team's own tests against it, and judges what was observed. */
import path from 'node:path';
import type { Observation } from '../../journal/observation.ts';
import { writeFindings } from '../../journal/write-redacted.ts';
import { problemToData } from '../../kernel/problem.ts';
import type { Host } from '../session/host.ts';
import type { Interrupts } from '../session/interrupts.ts';
import type { RunReporter } from '../session/perform-run.ts';
import { judgeObservation } from './judge-observation.ts';
import { observeCommand } from './observe-command.ts';
import { type CommandRequest, openCommandSession } from './open-command-session.ts';

export async function observeRun(
  host: Host,
  request: CommandRequest,
  interrupts: Interrupts,
  { writeReports }: Pick<RunReporter, 'writeReports'>,
) {
  const session = await openCommandSession(host, request, interrupts, 'run --observe');
  const { folder, redactor, endings, startedAt, system } = session;
  const live = await session.open();
  const { environment } = live;
  const observing = observeCommand({ ...session.command, environment, folder, show: request.show });
  const { seen, left, cost } = await observing.catch(async (error: unknown) => {
    await live.end('the command could not be observed');
    throw error;
  });
  const { leaks, problems } = await live.end('the command has ended');
  endings.stopListening();
  const observation: Observation = { ...seen, leaks: [...left, ...leaks] };
  const interruptedBy = endings.interruptedBy();
  const stoppedAt = host.clock.now();
  const verdict = judgeObservation({
    observation,
    tool: session.identity.tool,
    seed: session.identity.seed,
    revision: session.revision,
    configHash: system.configHash,
    configFile: path.basename(system.file),
    repro: redactor.redact(request.again),
    cost,
    problems: problems.map(problemToData),
    ...(interruptedBy === undefined ? {} : { interruptedBy }),
    durationMs: stoppedAt - startedAt,
  });
  writeFindings(path.join(folder, 'observe.json'), observation, redactor);
  await writeReports(folder, verdict, { startedAt, stoppedAt }, redactor);
  // Relative to the working folder.
  const runFolder = session.shown;
  return { observation, verdict, runFolder };
}
