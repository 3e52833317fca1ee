/** What became of the commands of a transaction, as the answer to EXEC, DISCARD or RESET says. Pure. */
import { isMap } from '../../kernel/is-map.ts';
import { notRead } from '../../kernel/not-kept.ts';
import type { CommandExchange } from './command-exchange.ts';
import type { RespValue } from './resp-reader.ts';

/** False where the answers are not those of the commands. */
export function endQueued(
  queued: readonly CommandExchange[],
  end: CommandExchange,
  said: RespValue,
): boolean {
  const why = whyNotExecuted(end, said);
  if (why !== undefined) {
    for (const command of queued) command.fail(`not executed: ${why}`);
    return true;
  }
  if (!Array.isArray(said.value) || said.items !== queued.length) return false;
  const failed = new Set(said.errors);
  const kept = said.items - said.dropped;
  for (const [at, command] of queued.entries()) {
    const answer: unknown = at < kept ? said.value[at] : beyond;
    if (failed.has(at)) command.fail(isMap(answer) && at < kept ? answer.error : answer);
    else command.result = command.method === 'ACL' ? credentials : answer;
  }
  const first = queued.find(({ error }) => error !== undefined)?.error?.message;
  // A client that asks EXEC alone must not take it for a success.
  if (first !== undefined) {
    const many = `${failed.size} of ${queued.length} commands failed`;
    end.error = { message: typeof first === 'string' ? `${first} (${many})` : many };
  }
  if (queued.some(({ method }) => method === 'ACL')) end.result = credentials;
  return true;
}

const credentials = notRead('credentials are not kept');
const beyond = notRead('the answers of the transaction are more than are kept');

function whyNotExecuted({ method }: CommandExchange, { value, isError }: RespValue): string | undefined {
  if (method !== 'EXEC') return 'the transaction was discarded';
  if (isError) return String(value);
  return value === null ? 'a watched key was changed' : undefined;
}
