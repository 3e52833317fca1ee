/** Which checks of the suite beside this file cannot fail, and why; each has a twin on the same trial that can. */

export type Kind =
  /** Nothing is left that could fail. */
  | 'removed'
  /** It speaks of a field that nothing has. */
  | 'wrong-field'
  /** Every value fulfils it. */
  | 'always-true'
  /** It says something of what went well, and lets everything else pass. */
  | 'happy-half'
  /** It reads what the trial itself has said. */
  | 'echo';

export interface Pair {
  readonly trial: string;
  /** `NAME-vacuous` and `NAME-strong` are checks, or steps with an `expect`. */
  readonly name: string;
  readonly kind: Kind;
  /** The driver whose answer it reads, or the observer. */
  readonly by: string;
}

type Row = readonly [name: string, kind: Kind, by: string];

const rows: Readonly<Record<string, readonly Row[]>> = {
  'shop/order': [
    ['status', 'always-true', 'http'],
    ['all-statuses', 'always-true', 'http'],
    ['catch-all', 'always-true', 'http'],
    ['any-text', 'always-true', 'http'],
    ['no-error', 'wrong-field', 'http'],
    ['not-cancelled', 'wrong-field', 'http'],
    ['repeats-order', 'echo', 'http'],
    ['repeats-customer', 'echo', 'http'],
    ['own-request', 'echo', 'http'],
    ['each-of-none', 'happy-half', 'http'],
    ['either-way', 'happy-half', 'http'],
    ['if-it-worked', 'happy-half', 'http'],
    ['any-length', 'always-true', 'http'],
    ['any-count', 'always-true', 'http'],
    ['impossible-balance', 'wrong-field', 'http'],
    ['every-type', 'always-true', 'http'],
    ['took-time', 'always-true', 'http'],
    ['some-bytes', 'always-true', 'http'],
    ['removed', 'removed', 'http'],
    ['removed-headers', 'removed', 'http'],
    ['any-events', 'always-true', 'http'],
    ['bad-event', 'wrong-field', 'http'],
    ['stream-ended', 'wrong-field', 'http'],
    ['repeats-query', 'echo', 'http'],
    ['repeats-path', 'echo', 'http'],
    ['whole', 'wrong-field', 'http'],
    ['answered', 'wrong-field', 'http'],
    ['id-given', 'echo', 'http'],
    ['version', 'always-true', 'http'],
  ],
  'shop/refused': [
    ['outcome', 'happy-half', 'http'],
    ['reason', 'always-true', 'http'],
    ['gave-nothing', 'wrong-field', 'http'],
  ],
  'shop/cancel': [
    ['paid-back', 'always-true', 'http'],
    ['refused-twice', 'happy-half', 'http'],
  ],
  'shop/traces': [
    ['any-total', 'always-true', 'rows'],
    ['repeats-where', 'echo', 'rows'],
    ['any-rows', 'always-true', 'rows'],
    ['not-refunded', 'wrong-field', 'rows'],
    ['refunds', 'happy-half', 'rows'],
    ['always-covered', 'wrong-field', 'throughout'],
    ['never-overdrawn', 'wrong-field', 'never'],
    ['any-file', 'always-true', 'files'],
    ['ticked', 'always-true', 'files'],
    ['readable', 'wrong-field', 'files'],
    ['any-line', 'always-true', 'logs'],
    ['no-such-line', 'happy-half', 'logs'],
    ['not-failed', 'wrong-field', 'events'],
    ['never-cancelled', 'wrong-field', 'never'],
    ['runs', 'always-true', 'process'],
    ['same-process', 'happy-half', 'process'],
    ['restarts', 'always-true', 'process'],
    ['mail-status', 'always-true', 'calls'],
    ['own-call', 'echo', 'calls'],
    ['own-answer', 'echo', 'calls'],
    ['mail-whole', 'happy-half', 'calls'],
    ['changed-rows', 'always-true', 'changes'],
    ['changed-files', 'always-true', 'changes'],
    ['any-span', 'always-true', 'spans'],
    ['span-failed', 'wrong-field', 'spans'],
    ['one-customer', 'echo', 'correlate'],
    ['in-order', 'echo', 'order'],
    ['accepted', 'wrong-field', 'golden'],
  ],
  'desk/lines': [
    ['repeats-tag', 'echo', 'tcp newline-json'],
    ['any-messages', 'always-true', 'tcp newline-json'],
    ['no-error', 'wrong-field', 'tcp newline-json'],
    ['own-bytes', 'echo', 'tcp newline-json'],
    ['notes', 'happy-half', 'tcp newline-json'],
    ['refused', 'happy-half', 'tcp newline-json'],
  ],
  'desk/frames': [
    ['any-type', 'always-true', 'tcp hex6-sexp'],
    ['contained', 'happy-half', 'within'],
    ['connected', 'always-true', 'tcp hex6-sexp'],
  ],
  'desk/messages': [
    ['not-minus', 'happy-half', 'tcp content-length-json'],
    ['if-right', 'happy-half', 'tcp content-length-json'],
    ['any-words', 'always-true', 'tcp'],
    ['not-refused', 'happy-half', 'tcp'],
  ],
  'tools/quote': [
    ['went-well', 'always-true', 'mcp'],
    ['repeats', 'echo', 'mcp'],
    ['any-tools', 'always-true', 'mcp'],
    ['schemas', 'wrong-field', 'mcp'],
    ['no-rpc-error', 'wrong-field', 'mcp'],
    ['no-video', 'happy-half', 'mcp'],
    ['offers', 'happy-half', 'mcp'],
    ['either-way', 'happy-half', 'mcp'],
    ['catch-all', 'always-true', 'mcp'],
    ['removed', 'removed', 'mcp stdio'],
    ['own-way', 'echo', 'mcp stdio'],
  ],
  'sums/commands': [
    ['ended', 'always-true', 'command'],
    ['printed', 'always-true', 'command'],
    ['no-crash', 'wrong-field', 'command'],
    ['repeats-name', 'echo', 'command'],
    ['either-way', 'happy-half', 'command'],
    ['skipped', 'happy-half', 'command'],
    ['killed', 'wrong-field', 'command'],
    ['repeats-line', 'echo', 'command'],
  ],
  'agent/adds': [
    ['answered', 'always-true', 'http'],
    ['both-sides', 'echo', 'agree'],
    ['script', 'echo', 'model'],
    ['any-turn', 'always-true', 'model'],
    ['before-and-after', 'echo', 'order'],
    ['tool-called', 'happy-half', 'calls'],
    ['logged', 'always-true', 'logs'],
  ],
  'shop/steps': [
    ['status', 'always-true', 'http'],
    ['body', 'wrong-field', 'http'],
    ['tool', 'happy-half', 'mcp'],
    ['program', 'always-true', 'command'],
  ],
  'shop/echoes': [
    ['nested', 'echo', 'http'],
    ['listed', 'echo', 'http'],
    ['words', 'echo', 'http'],
    ['shouted', 'echo', 'http'],
    ['query', 'echo', 'http'],
    ['ticket', 'echo', 'http'],
    ['filtered', 'echo', 'http'],
  ],
  'shop/always': [
    ['http-range', 'always-true', 'http'],
    ['below', 'always-true', 'http'],
    ['not-null', 'always-true', 'http'],
    ['is-number', 'always-true', 'http'],
    ['begins', 'always-true', 'http'],
    ['holds', 'always-true', 'http'],
    ['anchored', 'always-true', 'http'],
    ['letters', 'always-true', 'http'],
    ['number', 'always-true', 'http'],
    ['empty-or-not', 'happy-half', 'http'],
    ['there-or-not', 'happy-half', 'http'],
    ['hundred', 'always-true', 'http'],
    ['heads', 'removed', 'http'],
    ['no-such-word', 'happy-half', 'http'],
    ['either', 'happy-half', 'http'],
    ['wrong-error', 'wrong-field', 'http'],
    ['inside', 'wrong-field', 'http'],
    ['hit', 'wrong-field', 'http'],
  ],
  'shop/watched': [
    ['rows-half', 'happy-half', 'rows'],
    ['rows-any', 'always-true', 'rows'],
    ['rows-text', 'wrong-field', 'never'],
    ['never-two', 'happy-half', 'never'],
    ['logs-key', 'wrong-field', 'logs'],
    ['logs-each', 'always-true', 'logs'],
    ['events-any', 'happy-half', 'events'],
    ['events-where', 'wrong-field', 'events'],
    ['files-key', 'wrong-field', 'files'],
    ['calls-half', 'happy-half', 'calls'],
    ['alive', 'wrong-field', 'process'],
    ['grown', 'always-true', 'process'],
    ['spans-key', 'wrong-field', 'spans'],
    ['changes-any', 'happy-half', 'changes'],
    ['traced', 'echo', 'correlate'],
  ],
  'desk/talks': [
    ['list', 'removed', 'tcp newline-json'],
    ['closed', 'always-true', 'tcp newline-json'],
    ['half', 'happy-half', 'tcp newline-json'],
    ['turn', 'always-true', 'tcp newline-json'],
    ['tool-half', 'happy-half', 'mcp'],
    ['tool-key', 'wrong-field', 'mcp'],
    ['tool-price', 'wrong-field', 'mcp'],
    ['repeated', 'echo', 'mcp'],
    ['repeated-block', 'echo', 'mcp'],
    ['offered', 'always-true', 'mcp'],
    ['out', 'removed', 'command'],
    ['err', 'always-true', 'command'],
    ['program-half', 'happy-half', 'command'],
    ['copied', 'echo', 'command'],
    ['shell', 'happy-half', 'command'],
    ['shell-out', 'always-true', 'command'],
  ],
  'shop/race': [
    ['both', 'always-true', 'flow'],
    ['repeats', 'echo', 'flow'],
    ['blocks', 'happy-half', 'flow'],
    ['rows', 'wrong-field', 'flow'],
    ['logs', 'always-true', 'flow'],
    ['events', 'always-true', 'flow'],
    ['calls', 'wrong-field', 'flow'],
    ['alive', 'always-true', 'flow'],
    ['files', 'always-true', 'flow'],
  ],
};

export const pairs: readonly Pair[] = Object.entries(rows).flatMap(([trial, own]) =>
  own.map(([name, kind, by]) => ({ trial, name, kind, by })),
);
