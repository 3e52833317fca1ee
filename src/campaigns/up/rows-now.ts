/** The rows that a table of an environment has now, read as a check of a trial reads them. */
import { redactorFor } from '../../environment/redactor-for.ts';
import { Problem } from '../../kernel/problem.ts';
import { rowsCheck } from '../../kinds/rows/check.ts';
import { ObservationError } from '../../observers/observer.ts';
import { type RowsQuery, rowsObserver } from '../../observers/rows/rows-observer.ts';
import type { Host } from '../session/host.ts';
import { findLive, notUp } from '../session/live-environment.ts';
import { systemFolder } from '../session/open-system.ts';

/** `run`: of this environment, where another one may be up in the folder. */
export async function rowsNow(host: Host, table: string, where: unknown, run: string | undefined) {
  const folder = await systemFolder(host);
  const live = await findLive(folder, host.clock, run);
  if (!live) throw notUp(folder);
  const redactor = redactorFor(live.plan.system, host.env);
  const watch = await rowsObserver.open({
    clock: host.clock,
    signal: new AbortController().signal,
    facts: () => live.client.ask('facts', {}),
    calls: () => [],
    redactor,
    systemFolder: folder,
  });
  try {
    const query = rowsCheck.query(table, where === undefined ? {} : { where });
    const rows = (await watch.look(query as unknown as RowsQuery)) as readonly object[];
    return { rows, redactor };
  } catch (error) {
    throw error instanceof ObservationError ? notSeen(table, error) : error;
  } finally {
    await watch.close();
    live.client.close();
  }
}

function notSeen(table: string, { message }: ObservationError): Problem {
  return new Problem({
    code: 'usage.bad-value',
    where: `shakedown rows ${table}`,
    what: message,
    allowed: 'a service or a resource of the config, and a table that it has, such as `db.orders`',
    next: 'write the name as a check `rows` has it; what there is: shakedown status',
  });
}
