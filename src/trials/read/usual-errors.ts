/** An error line as most programs write it; the config may say another. Its texts are rare in logs, which keeps the search for it fast. */
const grave = 'error|fatal|critical|panic';
const slight = 'trace|debug|info|notice|warn|warning';
const graveWord = grave.toUpperCase();
const slightWord = slight.toUpperCase();
const levelKey = '"(?:log\\.|@)?(?:level|levelname)":\\s*';
/** The beginning of a line of JSON up to a key of its own: what stands in a map inside of it belongs to that. */
const ownKeys = '\\{(?:[^{}\\n]|\\{[^{}\\n]*\\})*?';
/** Celery prints what a task prints as a WARNING of its process. A request is what somebody asked for. */
const slightLevel = [
  `(?<![-\\w])(?:${slightWord})(?![-=\\w]|(?<=WARNING)/)`,
  `\\blevel="?(?:${slight})\\b|\\[(?:${slight}) *\\]|\\| SUCCESS +\\||"[A-Z]+ \\S* HTTP/`,
].join('|');
/** Those of Python stand at the end of a traceback, which has counted already. */
const pythonErrors = [
  'Arithmetic|Assertion|Attribute|BlockingIO|BrokenPipe|Buffer|ChildProcess|Connection\\w*|EOF|FileExists|FileNotFound|IO|Import',
  'Indentation|Index|Interrupted|IsADirectory|Key|Lookup|Memory|ModuleNotFound|Name|NotADirectory|NotImplemented|OS|Overflow',
  'Permission|ProcessLookup|Recursion|Runtime|System|Tab|Timeout|UnboundLocal|Unicode\\w*|Value|ZeroDivision',
].join('|');
const ofNode = '\\S+ is not (?:a function|a constructor|iterable)|fetch failed|terminated';
/** A counter, or a field that is empty. */
const nothing = '(?!(?:0|null|nil|none|None|undefined|false|no)\\b)';

export const usualErrors = [
  // The level of the line itself comes first: what an INFO line speaks of is no error.
  `^(?!${ownKeys}${levelKey}(?:"(?:${slight}|${slightWord})"|[1234]0\\b))(?:(?!${slightLevel})[^\\n])*?(?:${[
    `(?<!/)\\b(?:${graveWord})\\b`,
    `\\blevel="?(?:${grave})\\b`,
    '\\[(?:\\w+:)?(?:error|fatal|critical|crit|emerg) *\\]',
    '\t(?:error|fatal|panic)\t',
    ':\\d\\d(?:[AP]M)? (?:ERR|FTL|PNC)[\\] ]',
    'http: panic serving |Unhandled(?:Promise)?Rejection|Uncaught ',
  ].join('|')})`,
  `^(?:(?!${slightLevel})[^{\\n])*?${ownKeys}(?:${levelKey}|"log":\\s*\\{\\s*"level":\\s*)(?:"(?:${grave}|${graveWord})"|[56]0\\b)`,
  // A severity is that of the line only where it has no level.
  `^(?![^\\n]*${levelKey})[^{\\n]*${ownKeys}"severity":\\s*"(?:${grave}|${graveWord})"`,
  // With a time and a name before it, as winston writes it.
  `^(?:[-\\d:.,/TZ+[\\] ]{8,60}(?:\\[[^\\]\\n]{0,60}\\] )?)?(?:error|fatal|critical): ${nothing}`,
  '^SEVERE: |^(?:fail|crit): \\S+\\[\\d+\\]$|^(?:ERRO|FATA|PANI)\\[\\d',
  '^[EF]\\d{4} \\d\\d:\\d\\d:\\d\\d\\.\\d+ +\\d+ [^\\s\\]]+(?:\\.go:|\\.cc:|\\.py:)\\d+\\] ',
  // Only what is drawn stands before it: a frame, or the tree of a group. What is quoted is not one.
  '^[^\\w"\'`>]*(?:Exception Group )?Traceback \\(most recent call last\\)|^Traceback',
  '^panic:|^goroutine \\d+ \\[running|^thread \'.+ panicked at |^Exception in thread "',
  // The first line of an exception that was printed: of Node, also where it has a code, and of the JVM and .NET.
  `^\\[?(?!(?:${pythonErrors})Error: |(?:Type|Syntax)Error: (?!${ofNode})(?:[a-z'"]|Object of type |\\S+\\(\\) ))(?:[A-Z]\\w*)?Error(?: \\[\\w+\\])?: ${nothing}`,
  '^(?:java|javax|jakarta|kotlin|scala|org|com|net|io|System|Microsoft)\\.[\\w.$]+(?:Exception|Error)(?::|$)',
].join('|');
