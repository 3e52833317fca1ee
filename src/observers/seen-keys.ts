/** The keys that what an observer shows can have, where it is we who give the names. Pure. */

/** Of a call on an edge, and of a program that was started. */
export const callKeys: readonly string[] = [
  'crossing',
  'from',
  'to',
  'protocol',
  'method',
  'path',
  'params',
  'result',
  'error',
  'status',
  'request',
  'response',
  'startedAt',
  'endedAt',
  'turn',
  'faults',
  'incomplete',
  'argv',
];

/** Of the two messages of a call. */
export const messageKeys: readonly string[] = [
  'headers',
  'json',
  'text',
  'events',
  'bytes',
  'status',
  'unfinished',
];

export const spanKeys: readonly string[] = [
  'service',
  'name',
  'kind',
  'traceId',
  'spanId',
  'parentSpanId',
  'attributes',
  'events',
  'status',
  'durationMs',
  'startedAt',
  'cut',
];

/** Of what a step got, whatever its kind. */
const exchangeKeys = [
  ...['status', 'headers', 'json', 'text', 'events', 'endedBy', 'bytes', 'sha256', 'truncated', 'broken'],
  ...[
    'request',
    'redirects',
    'durationMs',
    'error',
    'answers',
    'reached',
    'service',
    'did',
    'killed',
    'quiet',
    'busy',
  ],
  ...['isError', 'result', 'content', 'rpcError', 'tools', 'resources', 'prompts', 'resourceTemplates'],
  ...['names', 'pages', 'requests', 'notifications', 'anomalies', 'dropped', 'protocolVersion', 'transport'],
  ...['server', 'connected', 'received', 'raw', 'closedBy', 'bytesSent', 'bytesReceived', 'waitedMs'],
  ...['exitCode', 'signal', 'stdout', 'stderr', 'stdoutBytes', 'stderrBytes', 'resultType', 'during', 'last'],
  ...['busyBytes', 'unwatched'],
];

const processKeys = ['running', 'pid', 'restarts', 'rss', 'rssGrowth', 'fds', 'fdGrowth', 'children'];

export function fileKeys(form: string): readonly string[] {
  return ['path', 'bytes', 'sha256', 'mode', 'link', 'broken', ...(form === 'hash' ? [] : [form])];
}

/** By the kind of a check; undefined where the system gives the names. */
export function seenKeys(kind: string, query: { readonly as?: unknown }): readonly string[] | undefined {
  if (kind === 'calls') return callKeys;
  if (kind === 'exchange') return exchangeKeys;
  if (kind === 'spans') return spanKeys;
  if (kind === 'process') return processKeys;
  if (kind === 'logs') return ['line', 'text'];
  const { as = 'hash' } = query;
  // A reference stands for a form that is not known yet.
  return kind === 'files' && !String(as).includes('${') ? fileKeys(String(as)) : undefined;
}
