/** Opens a session for a test command of the user: its plan, and the ready environment as a line. */
import path from 'node:path';
import { redactOurs } from '../../journal/redact-values.ts';
import { writeDocument } from '../../journal/write-redacted.ts';
import { formatDuration } from '../../kernel/duration.ts';
import { revisionOf } from '../flakes/git-state.ts';
import type { Host } from '../session/host.ts';
import type { Interrupts } from '../session/interrupts.ts';
import { type EnvironmentRequest, identifyRun, openSession, type Session } from '../session/open-session.ts';
import { openSystem } from '../session/open-system.ts';
import { type WhoAnswers, withWhoAnswers } from '../session/who-answers.ts';
import type { ObserveOptions } from './observe-command.ts';
import { findCommand } from './run-foreign-command.ts';

export interface CommandRequest extends EnvironmentRequest {
  /** Words with `${…}` in them. */
  readonly words: readonly string[];
  readonly timeoutMs: number;
  readonly junit: readonly string[];
  readonly answers: WhoAnswers;
  /** The call as a shell command. */
  readonly again: string;
  /** Where the output of the command goes. */
  readonly show: NonNullable<ObserveOptions['show']>;
}

export interface CommandSession extends Session {
  readonly revision: string | null;
  /** What every performance of the command has in common. */
  readonly command: Pick<
    ObserveOptions,
    'run' | 'seed' | 'words' | 'timeoutMs' | 'junit' | 'cwd' | 'env' | 'runFolder' | 'signal'
  >;
}

export async function openCommandSession(
  host: Host,
  request: CommandRequest,
  interrupts: Interrupts,
  kind: 'run --observe' | 'sabotage --live',
): Promise<CommandSession> {
  const { words, timeoutMs, junit } = request;
  // Before the boot: otherwise a misspelt program would be found only after it.
  if (!words[0]?.includes('${')) findCommand(words, host);
  const system = withWhoAnswers(await openSystem(host), request.answers);
  const identity = identifyRun(host, system, request);
  const revision = await revisionOf(system.folder);
  const startedAt = new Date(host.clock.now()).toISOString();
  const plan = { schemaVersion: 1, kind, startedAt, ...identity, revision, command: words, system };
  const session = await openSession(host, {
    system,
    identity,
    interrupts,
    containment: request.containment,
    isLatest: kind === 'run --observe',
    writePlan: (folder, redactor) =>
      writeDocument(path.join(folder, 'plan.json'), redactOurs(plan, redactor, 'hidden')),
    say: host.say,
    onEvent: (event) => {
      if (event.type === 'environment.ready')
        host.say(`environment ready after ${formatDuration(event.bootMs)}`, 'dim');
    },
  });
  const { run, seed } = identity;
  const { cwd, env } = host;
  const { folder: runFolder, endings } = session;
  const command = { run, seed, words, timeoutMs, junit, cwd, env, runFolder, signal: endings.signal };
  return { ...session, revision, command };
}
