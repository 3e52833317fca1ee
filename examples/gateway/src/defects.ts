/** Defects that can be switched on in the services (`DEFECT=<name>`), to see whether a test suite detects them. */

interface Defect {
  readonly name: string;
  /** The service to blame. */
  readonly guilty: 'gateway' | 'agent' | 'files' | 'channel';
  /** The file that implements it. */
  readonly at: string;
  readonly what: string;
}

export const defects = [
  {
    name: 'sse-as-json',
    guilty: 'gateway',
    at: 'gateway/ask-upstream.ts',
    what: 'a stream of the provider is read to its end and parsed as one JSON text, which it is not',
  },
  {
    name: 'drops-parameters',
    guilty: 'gateway',
    at: 'gateway/ask-upstream.ts',
    what: 'temperature, limits, stop words and the like do not reach the provider',
  },
  {
    name: 'retries-everything',
    guilty: 'gateway',
    at: 'gateway/try-targets.ts',
    what: 'every failure is retried, permanent ones included',
  },
  {
    name: 'keys-not-checked',
    guilty: 'gateway',
    at: 'gateway/admission.ts',
    what: 'an unknown key is accepted as that of the first agent',
  },
  {
    name: 'prefix-too-wide',
    guilty: 'gateway',
    at: 'gateway/admission.ts',
    what: 'an agent that may use a model may use every one whose name begins like it',
  },
  {
    name: 'fragments-by-position',
    guilty: 'gateway',
    at: 'gateway/read-chunks.ts',
    what: 'fragments of tool calls are numbered by their place in the chunk, so that parallel calls run into one',
  },
  {
    name: 'split-utf8',
    guilty: 'gateway',
    at: 'gateway/read-chunks.ts',
    what: 'a character whose bytes come in two pieces is garbled',
  },
  {
    name: 'usage-lost',
    guilty: 'gateway',
    at: 'gateway/usage-ledger.ts, gateway/client-stream.ts',
    what: 'usage is neither counted nor passed on',
  },
  {
    name: 'stream-aggregated',
    guilty: 'gateway',
    at: 'gateway/complete-chat.ts',
    what: 'a stream is passed on when its end is there, not as it comes',
  },
  {
    name: 'text-twice-after-retry',
    guilty: 'gateway',
    at: 'gateway/try-targets.ts',
    what: 'after a cut the next provider starts over in the same stream, so that text comes twice',
  },
  {
    name: 'truncation-is-success',
    guilty: 'gateway',
    at: 'gateway/read-chunks.ts',
    what: 'a stream that was cut off is ended as if it were whole',
  },
  {
    name: 'ignores-retry-after',
    guilty: 'gateway',
    at: 'gateway/try-targets.ts',
    what: 'a provider that sends `retry-after` is asked again at once',
  },
  {
    name: 'wrong-alias',
    guilty: 'gateway',
    at: 'gateway/admission.ts',
    what: 'the alias fast leads to the models of careful',
  },
  {
    name: 'html-passed-through',
    guilty: 'gateway',
    at: 'gateway/ask-upstream.ts',
    what: 'a page of HTML from the provider is passed on with status 200',
  },
  {
    name: 'cascade-never-falls-back',
    guilty: 'gateway',
    at: 'gateway/try-targets.ts',
    what: 'only the first model of a cascade is ever asked',
  },
  {
    name: 'error-swallowed',
    guilty: 'gateway',
    at: 'gateway/complete-chat.ts',
    what: 'a failure of the provider becomes an empty answer with status 200',
  },
  {
    name: 'request-id-lost',
    guilty: 'gateway',
    at: 'gateway/ask-upstream.ts',
    what: 'the id of a request does not reach the provider',
  },
  {
    name: 'rate-not-limited',
    guilty: 'gateway',
    at: 'gateway/admission.ts',
    what: 'the rate of requests is not limited',
  },
  {
    name: 'waits-for-ever',
    guilty: 'gateway',
    at: 'gateway/read-chunks.ts',
    what: 'a silent stream is waited for without end',
  },
  {
    name: 'runs-truncated-call',
    guilty: 'agent',
    at: 'agent/ask-model.ts, agent/tool-arguments.ts',
    what: 'a tool is run with the part of its arguments that came before the cut',
  },
  {
    name: 'tool-reported-not-made',
    guilty: 'agent',
    at: 'agent/converse.ts',
    what: 'a tool call is reported to the model and to the user as done, and was never made',
  },
  {
    name: 'failure-told-as-success',
    guilty: 'agent',
    at: 'agent/answer.ts',
    what: 'a failed turn is answered with status 200, outcome ok and no text',
  },
  {
    name: 'sessions-mixed',
    guilty: 'agent',
    at: 'agent/histories.ts',
    what: 'all users share one history',
  },
  {
    name: 'rounds-unbounded',
    guilty: 'agent',
    at: 'agent/converse.ts',
    what: 'a model that only ever calls tools is followed without end',
  },
  {
    name: 'folder-left',
    guilty: 'files',
    at: 'files/folder.ts',
    what: 'a path may lead out of the folder',
  },
  {
    name: 'hmac-not-checked',
    guilty: 'channel',
    at: 'channel/signature.ts',
    what: 'events are accepted whatever their signature',
  },
  {
    name: 'old-event-accepted',
    guilty: 'channel',
    at: 'channel/read-event.ts',
    what: 'the age of an event is not limited',
  },
  {
    name: 'event-twice',
    guilty: 'channel',
    at: 'channel/take-event.ts',
    what: 'an event that is delivered again is answered again',
  },
  {
    name: 'callback-wakes-wrong',
    guilty: 'channel',
    at: 'channel/pending-requests.ts',
    what: 'a callback answers the request that waits longest, not its own',
  },
  {
    name: 'duplicate-callback-accepted',
    guilty: 'channel',
    at: 'channel/pending-requests.ts',
    what: 'a callback that comes again is sent to the user again',
  },
  {
    name: 'stale-callback-accepted',
    guilty: 'channel',
    at: 'channel/pending-requests.ts',
    what: 'a callback for a request that was given up is sent to the user all the same',
  },
  {
    name: 'token-not-checked',
    guilty: 'channel',
    at: 'channel/pending-requests.ts',
    what: 'a client that knows the id of a request may answer it',
  },
] as const satisfies readonly Defect[];

type DefectName = (typeof defects)[number]['name'];

/** No defect is active unless `DEFECT` names it. */
export function hasDefect(name: DefectName): boolean {
  return process.env.DEFECT === name;
}

/** With a misspelt name no defect would be active, and the system would look correct. */
export function refuseUnknownDefect(wanted: string): void {
  if (wanted === '' || defects.some(({ name }) => name === wanted)) return;
  throw new Error(`DEFECT is ${wanted}: it must be one of ${defects.map(({ name }) => name).join(', ')}`);
}
