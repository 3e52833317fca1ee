/** Mistakes that the butlers can be told to make (`DEFECT=<name>`), to see whether a suite of tests notices them. */

interface Defect {
  readonly name: string;
  /** Who makes the mistake, and may be blamed for it: a service or a job, or one of several. */
  readonly blame: string | readonly string[];
  readonly what: string;
}

/** All of them run the same program; whoever of them is asked makes the mistake. */
const butlers = ['finance', 'general', 'health', 'home', 'relationship'] as const;

export const defects = [
  {
    name: 'wrong-schema',
    blame: ['migrate', ...butlers], // it makes the tables there, and they find them
    what: "the tables of the general butler are found first, so that rows of others end up in general's schema",
  },
  {
    name: 'renamed-column',
    blame: 'migrate',
    what: 'a migration renames the column payee of finance.bills, which the tool bill_add still writes',
  },
  {
    name: 'duplicate-twice',
    blame: 'switchboard',
    what: 'an event that is delivered again is answered with duplicate, and acted on once more',
  },
  {
    name: 'drops-second-butler',
    blame: 'switchboard',
    what: 'of a message for several butlers only the first gets its part',
  },
  {
    name: 'not-serial',
    blame: ['switchboard', ...butlers], // it hands over, and they take
    what: 'a butler gets, and works off, several messages at once',
  },
  {
    name: 'stale-client',
    blame: 'switchboard',
    what: 'a butler that was restarted is never connected to again',
  },
  {
    name: 'heartbeat-noop',
    blame: 'switchboard',
    what: 'heartbeat_tick counts what could not be delivered, and does not try it again',
  },
  {
    name: 'unknown-input-crash',
    blame: 'switchboard',
    what: 'a message that is for no butler ends the switchboard',
  },
  {
    name: 'socket-leak',
    blame: 'switchboard',
    what: 'before each hand-over a connection to the butler is opened, and never closed',
  },
  {
    name: 'late-write',
    blame: butlers,
    what: 'the rows of a session are written a second time, 300 ms after its answer',
  },
  {
    name: 'error-swallowed',
    blame: butlers,
    what: 'a tool that fails is told to the model, and logged, as done',
  },
  {
    name: 'wrong-session',
    blame: butlers,
    what: 'rows carry the id of the session before',
  },
  {
    name: 'session-log-missing',
    blame: butlers,
    what: 'sessions leave no line in the session log',
  },
  {
    name: 'tool-args-lost',
    blame: butlers,
    what: 'optional arguments of a tool do not reach the row',
  },
  {
    name: 'health-lies',
    blame: butlers,
    what: '/health says ok although modules are off',
  },
  {
    name: 'degraded-module-blocks',
    blame: butlers,
    what: 'where a module has no credential, no tool of the butler works',
  },
  {
    name: 'tool-reported-not-made',
    blame: butlers,
    what: 'a tool that reads is told to the model, and logged, as having found nothing, and was never called',
  },
  {
    name: 'arguments-altered',
    blame: butlers,
    what: 'numbers that the model gives to a tool are rounded on the way; the session log shows what the model said',
  },
  {
    name: 'trace-lost',
    blame: 'switchboard',
    what: 'a message is handed over without its trace, so that the butler begins one of its own',
  },
  {
    name: 'model-asked-twice',
    blame: butlers,
    what: 'the model is asked once more after it has answered, and that answer is thrown away',
  },
  {
    name: 'wrong-tool-result-sent-back',
    blame: butlers,
    what: 'of several tools in one turn, the model is told the results under the ids of each other',
  },
  {
    name: 'history-truncated',
    blame: butlers,
    what: 'the model is told the results of its tools without the calls to which they belong',
  },
  {
    name: 'usage-not-logged',
    blame: butlers,
    what: 'the session log says that the model was free',
  },
] as const satisfies readonly Defect[];

type DefectName = (typeof defects)[number]['name'];

/** Nothing is wrong unless `DEFECT` says so. */
export function hasDefect(name: DefectName): boolean {
  return process.env.DEFECT === name;
}

/** A misspelt defect would look like a system without any. */
export function refuseUnknownDefect(): void {
  const wanted = process.env.DEFECT ?? '';
  if (wanted === '' || defects.some(({ name }) => name === wanted)) return;
  throw new Error(`DEFECT is ${wanted}: it must be one of ${defects.map(({ name }) => name).join(', ')}`);
}
