/** An error line as most programs write it; the config may say another. A text in it that is rare keeps the search for it fast. */
export const usualErrors = [
  '\\b(?:ERROR|FATAL|CRITICAL|PANIC)\\b|^SEVERE: ',
  // Only what is drawn stands before it: a frame, or the tree of a group. What is quoted is not one.
  '^[^\\w"\'`>]*(?:Exception Group )?Traceback \\(most recent call last\\)|^Traceback',
  '^panic:|http: panic serving |^goroutine \\d+ \\[running|^thread \'.+ panicked at |^Exception in thread "',
  'Unhandled(?:Promise)?Rejection|Uncaught ',
  '"(?:log\\.|@)?(?:level|severity)":\\s*(?:"(?:error|fatal|critical|panic)"|[56]0\\b)',
  '\\blevel="?(?:error|fatal|critical|panic)\\b|\\[(?:\\w+:)?(?:error|fatal|critical|crit|emerg) *\\]',
  '\t(?:error|fatal|panic)\t|:\\d\\d(?:[AP]M)? (?:ERR|FTL|PNC)[\\] ]',
  '^(?:error|fatal|critical): |^(?:fail|crit): \\S+\\[\\d+\\]$',
].join('|');
