/** An error line as most programs write it; the config may say another. Its texts are rare in logs, which keeps the search for it fast. */
const grave = 'error|fatal|critical|panic';
const slight = 'trace|debug|info|notice';
const graveWord = grave.toUpperCase();
const slightWord = slight.toUpperCase();
const levelKey = '"(?:log\\.|@)?(?:level|levelname)":\\s*';
/** The beginning of a line of JSON up to a key of its own: what stands in a map inside of it belongs to that. */
const ownKeys = '\\{(?:[^{}\\n]|\\{[^{}\\n]*\\})*?';
const slightLevel = `(?<![-\\w])(?:${slightWord})(?![-=\\w])|\\blevel="?(?:${slight})\\b|\\[(?:${slight}) *\\]`;

export const usualErrors = [
  // The level of the line itself comes first: what an INFO line speaks of is no error.
  `^(?!${ownKeys}${levelKey}(?:"(?:${slight}|${slightWord})"|[123]0\\b))(?:(?!${slightLevel})[^\\n])*?(?:${[
    `\\b(?:${graveWord})\\b`,
    `\\blevel="?(?:${grave})\\b`,
    '\\[(?:\\w+:)?(?:error|fatal|critical|crit|emerg) *\\]',
    '\t(?:error|fatal|panic)\t',
    ':\\d\\d(?:[AP]M)? (?:ERR|FTL|PNC)[\\] ]',
    'http: panic serving |Unhandled(?:Promise)?Rejection|Uncaught ',
  ].join('|')})`,
  `^(?:(?!${slightLevel})[^{\\n])*?${ownKeys}${levelKey}(?:"(?:${grave}|${graveWord})"|[56]0\\b)`,
  // A severity is that of the line only where it has no level.
  `^(?![^\\n]*${levelKey})[^{\\n]*${ownKeys}"severity":\\s*"(?:${grave}|${graveWord})"`,
  '^(?:error|fatal|critical): |^SEVERE: |^(?:fail|crit): \\S+\\[\\d+\\]$',
  // Only what is drawn stands before it: a frame, or the tree of a group. What is quoted is not one.
  '^[^\\w"\'`>]*(?:Exception Group )?Traceback \\(most recent call last\\)|^Traceback',
  '^panic:|^goroutine \\d+ \\[running|^thread \'.+ panicked at |^Exception in thread "',
].join('|');
