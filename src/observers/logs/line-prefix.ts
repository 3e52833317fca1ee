/** What process managers and loggers put before a line of a program: times, `[name]`, `name |`, a host and a process. Pure. */

const inTime = '(?:[-\\d:.,/+ ]|T(?=\\d)|(?<=\\d)Z)*';
const prefix = new RegExp(
  `^(?:${[
    '\\[(?!x\\]|\\w*Error(?: \\[\\w+\\])?: )(?=[^\\p{L}[\\]]*\\p{L})[^[\\]]*\\]:? *',
    '[A-Z][a-z]{2} +\\d+ [\\d:]+ [\\w.-]+ [\\w./-]+(?:\\[\\d+\\])?: *', // syslog
    `\\[?(?:[A-Z][a-z]{2},? +){0,2}(?=\\d{4}-\\d\\d|${inTime}\\d:\\d\\d)\\d${inTime}(?:[AP]M)? *(?:UTC|GMT|[A-Z]{1,3}T\\b)?\\]? *` +
      '(?:\\[\\d+\\] *|\\| |[\\w.-]+\\[[\\w.-]+\\]: *|std(?:out|err) [FP] )?',
    // honcho, Compose; with a plain name, more than one column would be a table
    '(?=[\\d._-]*\\p{L})(?:[\\w.-]+(?<=[._-]\\d{1,4})|[\\w.-]+(?= *\\|[^|]*$)) *\\| ?',
    '[\\w.-]+:[\\w.-]*\\d: *', // supervisor
    '\\(\\w+ pid=\\d+[^()]*\\) *', // Ray
  ].join('|')})*`,
  'u',
);

export function prefixLength(line: string): number {
  return prefix.exec(line)?.[0].length ?? 0;
}
