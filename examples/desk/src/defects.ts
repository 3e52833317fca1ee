/** Defects that can be switched on in the desk (`DEFECT=<name>`), to see whether a test suite detects them. */

interface Defect {
  readonly name: string;
  /** The service with the defect; redis and the database only keep what they are given. */
  readonly guilty: 'api' | 'worker' | 'tools' | 'notifier';
  readonly what: string;
}

export const defects = [
  {
    name: 'queued-for-another',
    guilty: 'api',
    what: 'the job in the queue names the customer of the ticket before',
  },
  { name: 'subject-for-text', guilty: 'api', what: 'the subject of a ticket is stored as its text, too' },
  { name: 'key-ignored', guilty: 'api', what: 'a request that is sent again creates a second ticket' },
  { name: 'stale-read', guilty: 'api', what: 'a ticket is shown as it was when it was first read' },
  {
    name: 'failure-streamed-as-answer',
    guilty: 'api',
    what: 'the stream of a ticket that has failed says that it is answered',
  },
  { name: 'closes-another', guilty: 'api', what: 'close closes the oldest ticket of the customer' },
  {
    name: 'closed-takes-replies',
    guilty: 'api',
    what: 'a closed ticket takes replies, and is worked on again',
  },
  { name: 'queued-twice', guilty: 'api', what: 'each ticket is put on the queue twice' },
  { name: 'lists-everyone', guilty: 'api', what: 'the list of a customer has the tickets of all customers' },
  {
    name: 'asks-for-another',
    guilty: 'worker',
    what: 'tools are asked about the customer of the tool call before; the actions show what the model said',
  },
  {
    name: 'answers-swapped',
    guilty: 'worker',
    what: 'of two tickets at once, the reply to one is written to the other',
  },
  { name: 'tool-result-lost', guilty: 'worker', what: 'the model gets an empty text for each tool result' },
  { name: 'amount-rounded', guilty: 'worker', what: 'amounts lose their cents on the way to the tools' },
  {
    name: 'acks-before-work',
    guilty: 'worker',
    what: 'a job is acknowledged before the work, so that it is lost when the worker dies',
  },
  {
    name: 'keeps-failed-jobs',
    guilty: 'worker',
    what: 'the job of a ticket that failed is not acknowledged, and comes again when the worker is restarted',
  },
  { name: 'commits-twice', guilty: 'worker', what: 'the reply is written again, 200 ms after the first' },
  {
    name: 'tool-errors-ignored',
    guilty: 'worker',
    what: 'a tool that refused is reported to the model, and recorded, as done',
  },
  {
    name: 'updates-wrong-row',
    guilty: 'worker',
    what: 'all tickets of the customer become answered, not only the one that was',
  },
  { name: 'audit-forgotten', guilty: 'worker', what: 'an answer leaves no row in the audit table' },
  {
    name: 'reply-truncated',
    guilty: 'worker',
    what: 'replies are stored without what follows 60 characters',
  },
  { name: 'gives-up-at-once', guilty: 'worker', what: 'a model that is busy is not asked again' },
  {
    name: 'failure-hidden',
    guilty: 'worker',
    what: 'where the model fails, the ticket is answered with empty words',
  },
  { name: 'refunds-first-order', guilty: 'tools', what: 'the first order of the customer is refunded' },
  { name: 'orders-of-others', guilty: 'tools', what: 'list_orders gives the orders of all customers' },
  { name: 'refunds-everything', guilty: 'tools', what: 'the whole amount of the order is paid back' },
  { name: 'limit-off-by-one', guilty: 'tools', what: 'a refund of exactly the limit needs an approval' },
  { name: 'approval-ignored', guilty: 'tools', what: 'large refunds need no approval' },
  { name: 'note-lost', guilty: 'tools', what: 'add_note says that it is done, and writes nothing' },
  { name: 'notifies-twice', guilty: 'notifier', what: 'each notification is sent twice' },
  { name: 'wrong-recipient', guilty: 'notifier', what: 'notifications go to the first customer' },
  {
    name: 'dropped-when-busy',
    guilty: 'notifier',
    what: 'what the mailer refuses is not sent again, and recorded as sent',
  },
] as const satisfies readonly Defect[];

/** With a misspelt name no defect would be active, and the system would look correct. */
export function knownDefect(wanted: string): string {
  if (wanted === '' || defects.some(({ name }) => name === wanted)) return wanted;
  throw new Error(`DEFECT is ${wanted}: it must be one of ${defects.map(({ name }) => name).join(', ')}`);
}
