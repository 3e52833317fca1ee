/** Defects that can be switched on in the butlers (`DEFECT=<name>`), to see whether a test suite detects them. */

interface Defect {
  readonly name: string;
  /** Where the defect is, and what a report may blame: a service or a job, or one of several. */
  readonly blame: string | readonly string[];
  readonly what: string;
}

/** All of them run the same program; the defect shows in the one that gets the message. */
const butlers = ['finance', 'general', 'health', 'home', 'relationship'] as const;

export const defects = [
  {
    name: 'wrong-schema',
    blame: ['migrate', ...butlers], // it creates the tables there, and they find them
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
    what: 'a butler gets, and processes, several messages at once',
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
    what: 'a tool that fails is reported to the model, and logged, as done',
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
    what: 'a tool that reads is reported to the model, and logged, as having found nothing, and was never called',
  },
  {
    name: 'arguments-altered',
    blame: butlers,
    what: 'numbers that the model gives to a tool are rounded on the way; the session log shows what the model said',
  },
  {
    name: 'trace-lost',
    blame: 'switchboard',
    what: 'a message is handed over without its trace, so that the butler starts one of its own',
  },
  {
    name: 'model-asked-twice',
    blame: butlers,
    what: 'the model is asked once more after it has answered, and that answer is thrown away',
  },
  {
    name: 'wrong-tool-result-sent-back',
    blame: butlers,
    what: 'of several tools in one turn, the model gets the results under swapped ids',
  },
  {
    name: 'history-truncated',
    blame: butlers,
    what: 'the model gets the results of its tools without the calls to which they belong',
  },
  {
    name: 'usage-not-logged',
    blame: butlers,
    what: 'the session log says that the model was free',
  },
] as const satisfies readonly Defect[];

type DefectName = (typeof defects)[number]['name'];

/** No defect is active unless `DEFECT` names it. */
export function hasDefect(name: DefectName): boolean {
  return process.env.DEFECT === name;
}

/** With a misspelt name no defect would be active, and the system would look correct. */
export function refuseUnknownDefect(): void {
  const wanted = process.env.DEFECT ?? '';
  if (wanted === '' || defects.some(({ name }) => name === wanted)) return;
  throw new Error(`DEFECT is ${wanted}: it must be one of ${defects.map(({ name }) => name).join(', ')}`);
}
