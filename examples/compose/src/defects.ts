/** Defects that can be switched on in the digest (`DEFECT=<name>`), to see whether a test suite detects them. */

interface Defect {
  readonly name: string;
  readonly guilty: 'web' | 'worker' | 'migrate';
  readonly what: string;
}

export const defects = [
  {
    name: 'index-forgotten',
    guilty: 'migrate',
    what: 'the migration leaves out the index by which the same text is found again',
  },
  { name: 'queued-twice', guilty: 'web', what: 'each document is put on the queue twice' },
  { name: 'caches-unfinished', guilty: 'web', what: 'what is read is kept, also where it is not finished' },
  {
    name: 'cache-of-all-teams',
    guilty: 'web',
    what: 'what is kept in Redis is shown to every team',
  },
  {
    name: 'acks-before-work',
    guilty: 'worker',
    what: 'a job leaves the queue before the work, so that it is lost when the worker dies',
  },
  {
    name: 'searches-all-teams',
    guilty: 'worker',
    what: 'the model finds the documents of all teams',
  },
  { name: 'one-tag-kept', guilty: 'worker', what: 'of the tags, the first is stored' },
  { name: 'gives-up-at-once', guilty: 'worker', what: 'a model that is busy is not asked again' },
  {
    name: 'failure-hidden',
    guilty: 'worker',
    what: 'where the model fails, the document counts as digested, with an empty summary',
  },
] as const satisfies readonly Defect[];

/** With a misspelt name no defect would be active, and the system would look correct. */
export function knownDefect(wanted: string): string {
  if (wanted === '' || defects.some(({ name }) => name === wanted)) return wanted;
  throw new Error(`DEFECT is ${wanted}: it must be one of ${defects.map(({ name }) => name).join(', ')}`);
}
