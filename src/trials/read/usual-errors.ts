/** An error line as most programs write it; the config may say another. Its texts are rare in logs, which keeps the search for it fast. */
const grave = 'error|fatal|critical|panic';
const slight = 'trace|debug|info|notice';
const graveWord = grave.toUpperCase();
const slightWord = slight.toUpperCase();
const levelKey = '"(?:log\\.|@)?(?:level|levelname|severity)":\\s*';

export const usualErrors = [
  // The level of the line itself comes first: what an INFO line speaks of is no error.
  `^(?!\\{.*${levelKey}(?:"(?:${slight}|${slightWord})"|[123]0\\b))` +
    `(?:(?!\\b(?:${slightWord})\\b|\\blevel="?(?:${slight})\\b|\\[(?:${slight}) *\\]).)*?\\b(?:${graveWord})\\b`,
  `${levelKey}(?:"(?:${grave}|${graveWord})"|[56]0\\b)|\\blevel="?(?:${grave})\\b`,
  '\\[(?:\\w+:)?(?:error|fatal|critical|crit|emerg) *\\]|^(?:error|fatal|critical): |^SEVERE: ',
  '\t(?:error|fatal|panic)\t|:\\d\\d(?:[AP]M)? (?:ERR|FTL|PNC)[\\] ]|^(?:fail|crit): \\S+\\[\\d+\\]$',
  // Only what is drawn stands before it: a frame, or the tree of a group. What is quoted is not one.
  '^[^\\w"\'`>]*(?:Exception Group )?Traceback \\(most recent call last\\)|^Traceback',
  '^panic:|http: panic serving |^goroutine \\d+ \\[running|^thread \'.+ panicked at |^Exception in thread "',
  'Unhandled(?:Promise)?Rejection|Uncaught ',
].join('|');
