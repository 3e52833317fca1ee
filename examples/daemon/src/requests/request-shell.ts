/** The shell actuator: an allowed command is run, every other is refused and not run. */
import type { Parts } from '../parts.ts';
import { Refusal } from '../refusal.ts';
import type { Session } from '../sessions/session.ts';
import type { Outcome } from '../shell/run-command.ts';
import { nameAt, textAt } from '../wire/message.ts';
import { keyword, type Printable, type Value } from '../wire/sexp.ts';

export async function requestShell(
  asker: Session,
  message: Value,
  { shell, events }: Parts,
): Promise<{ failed: boolean; payload: Printable }> {
  const command = textAt(message, 'PAYLOAD', 'CMD');
  if (nameAt(message, 'PAYLOAD', 'ACTION') !== 'execute' || command === undefined) {
    throw new Refusal('unknown-action', 'the shell knows :ACTION :execute with a :CMD');
  }
  const event = { session: asker.id, sensor: 'shell', command };
  const judgement = shell.judge(command);
  if (!judgement.allowed) {
    events.write({ ...event, outcome: 'refused' });
    throw new Refusal('refused', judgement.because);
  }
  const outcome = await shell.run(command);
  const failed = outcome.exit !== 0;
  events.write({ ...event, outcome: failed ? 'failed' : 'done', exit: outcome.exit });
  return { failed, payload: payloadOf(outcome) };
}

function payloadOf(outcome: Outcome): Printable {
  const failure = outcome.timedOut ? 'timeout' : 'failed';
  return {
    ACTION: keyword('execute'),
    REASON: outcome.exit === 0 ? undefined : keyword(failure),
    EXIT: outcome.exit,
    STDOUT: outcome.stdout,
    STDERR: outcome.stderr,
    TRUNCATED: outcome.truncated || undefined,
  };
}
