/** `shakedown rows`: the rows that a table of the environment that is up here has now. */
import { rowsNow } from '../../campaigns/up/rows-now.ts';
import { parseExactJson } from '../../kernel/exact-json.ts';
import { exitCodes } from '../../kernel/exit-codes.ts';
import { badOption } from '../call/options.ts';
import { print } from '../call/print.ts';
import { readRun, runOption } from '../call/run-option.ts';
import { type Call, optionText, type Verb } from '../call/verb.ts';

export const rows: Verb = {
  summary: 'show the rows that a table has now',
  usage: 'TABLE [--where JSON]',
  positionals: 1,
  options: {
    where: { value: 'JSON', help: 'only rows that match this pattern' },
    run: runOption,
  },
  run: async (call) => {
    const [table] = call.positionals;
    if (table === undefined || !table.includes('.'))
      throw badOption(
        call,
        '',
        `no table in ${JSON.stringify(table ?? '')}`,
        'a service or a resource, and a table of it',
        'write for example `shakedown rows db.orders`',
      );
    const found = await rowsNow(call, table, readWhere(call), readRun(call));
    call.hide(found.redactor.redact);
    print(call, { rows: found.rows }, () => found.rows.map((row) => JSON.stringify(row)));
    return exitCodes.held;
  },
};

function readWhere(call: Call): unknown {
  const given = optionText(call, 'where');
  try {
    return given === undefined ? undefined : parseExactJson(given);
  } catch {
    throw badOption(
      call,
      'where',
      `${JSON.stringify(given)} is not JSON`,
      'a pattern as in a check `rows`, as JSON',
      `write for example --where '{ "id": 7 }'`,
    );
  }
}
