/** One connection to one database, opened at the first query, reopened when it was lost, and read-only. */
import type { Clock } from '../../kernel/clock.ts';
import { within } from '../../kernel/deadline.ts';
import { errorCode } from '../../kernel/system-error.ts';
import { serverTarget } from '../../resources/postgres/external/server-target.ts';
import { openSession } from '../../resources/postgres/open-session.ts';
import { ObservationError } from '../observer.ts';
import { observerLimits } from '../observer-limits.ts';
import { QueryRefused, ServerFault, TookTooLong } from './database/refusals.ts';

type Session = Awaited<ReturnType<typeof openSession>>;

const settings = [
  `statement_timeout=${observerLimits.statementMs}`,
  'default_transaction_read_only=on',
  'TimeZone=UTC',
  'IntervalStyle=postgres',
];

const farewellMs = 500;

/** States that pass by themselves: connection, resources, operator intervention, rollback, locks, system error. */
const passing = /^(?:08|53|57|40|55|58)/;

export function openDatabaseLink(url: string, clock: Clock) {
  let opened: Promise<Session> | undefined;
  let isClosed = false;
  const forget = async (): Promise<void> => {
    const old = opened;
    opened = undefined;
    await old?.then((session) => end(session, clock)).catch(() => undefined); // what is lost need not be closed
  };
  const ask = async (text: string, values: readonly unknown[]): Promise<Answer> => {
    opened ??= connect(url);
    const session = await opened;
    return (await session.query(text, [...values])).rows as Answer;
  };
  const tryTwice = async (text: string, values: readonly unknown[]): Promise<Answer> => {
    for (let mayRetry = opened !== undefined; ; mayRetry = false) {
      if (isClosed) throw new ObservationError('the attempt is over');
      try {
        return await ask(text, values);
      } catch (error) {
        const failure = explain(error);
        if (failure instanceof QueryRefused || failure instanceof TookTooLong) throw failure;
        await forget();
        // A server that was restarted since the last look has ended a connection that this side took for open.
        if (!mayRetry || !isLost(error)) throw failure;
      }
    }
  };
  let last: Promise<unknown> = Promise.resolve();
  return {
    /** Rejects with `ObservationError` when the database is down or refuses, with `QueryRefused` for a bad statement. */
    query: (
      text: string,
      values: readonly unknown[] = [],
    ): Promise<readonly Readonly<Record<string, unknown>>[]> => {
      // One statement at a time is all that a connection can do.
      const answer = last.then(() => tryTwice(text, values));
      last = answer.catch(() => undefined); // whoever asked has heard it
      return answer;
    },
    close: async (): Promise<void> => {
      isClosed = true;
      await forget();
    },
  };
}

export type DatabaseLink = ReturnType<typeof openDatabaseLink>;

type Answer = readonly Readonly<Record<string, unknown>>[];

async function connect(url: string): Promise<Session> {
  const { address, login, ssl } = serverTarget('the url of a database', url, {});
  return openSession({
    ...address,
    ...login,
    ssl,
    application_name: 'shakedown observer',
    options: settings.map((setting) => `-c ${setting}`).join(' '),
    query_timeout: observerLimits.statementMs + 1_000,
  });
}

/** A server that hangs does not close the connection in order. */
async function end(session: Session, clock: Clock): Promise<void> {
  const said = session.end().then(() => true);
  if (!(await within(clock, farewellMs, said))) session.connection.stream.destroy();
}

function explain(error: unknown): ObservationError | QueryRefused {
  if (error instanceof ObservationError) return error;
  const state = sqlState(error);
  const message = error instanceof Error && error.message !== '' ? error.message : String(error);
  if (state === '57014') return new TookTooLong();
  if (state === undefined) return new ObservationError(`the database does not answer: ${message}`, 'later');
  if (state.startsWith('XX')) return new ServerFault(message);
  if (passing.test(state) || state.startsWith('28') || state === '3D000')
    return new ObservationError(`the database refuses: ${message}`, 'later');
  return new QueryRefused(message, state);
}

/** After one wait for a server that hangs, do not wait for it again. */
function isLost(error: unknown): boolean {
  const state = sqlState(error);
  return state === undefined ? !/timeout/i.test(String(error)) : /^(?:08|57P)/.test(state);
}

/** What the server itself answers has five characters; `ECONNREFUSED` and the like come from this side. */
function sqlState(error: unknown): string | undefined {
  const code = errorCode(error);
  return code !== undefined && /^[0-9A-Z]{5}$/.test(code) ? code : undefined;
}
