/** An error line as most programs write it; the config may say another. Its texts are rare in logs, which keeps the search for it fast. */
const grave = 'error|fatal|critical|panic';
const slight = 'trace|debug|info|notice|warn|warning|information|verbose';
const graveWord = grave.toUpperCase();
const slightWord = slight.toUpperCase();
const anyCase = (words: string): string =>
  `"(?:${words}|${words.toUpperCase()}|${words.replace(/\b\w/g, (first) => first.toUpperCase())})"`;

const levelKey = '(?:"(?:log\\.|@)?(?:level|levelname|Level|LogLevel)"|"@l"|"L"):\\s*';
const inJson = '[^{}"\\n]|"(?:[^"\\\\\\n]|\\\\.)*"';
const inMap = (map: string): string => `${inJson}|\\{(?:${map})*\\}`;
/** The beginning of a line of JSON up to a key of its own: what stands in a map inside of it belongs to that. */
const ownKeys = `\\{(?:${inMap(inMap(inMap(inJson)))})*?`;
const ownLevel = `${ownKeys}(?:${levelKey}|"log":\\s*\\{\\s*"level":\\s*)`;
/** A severity is that of the line only where it has no level. */
const ownSeverity = `(?![^\\n]*${levelKey})${ownKeys}"severity":\\s*`;

const graveLevel = [
  `(?<!/|LEVEL=)\\b(?:${graveWord})\\b`,
  `\\blevel=["']?(?:${grave})\\b`,
  '\\[(?:\\w+:)?(?:error|fatal|critical|crit|emerg) *\\]',
  '\t(?:error|fatal|panic)\t',
  ':\\d\\d(?:[AP]M)? (?:ERR|FTL|PNC)[\\] ]',
  'http: panic serving |Unhandled(?:Promise)?Rejection|Uncaught ',
].join('|');
/** Where a level stands: first, behind a sign that is not one of prose, or behind a time and a name. */
const place = '(?<=^\\s*|[^A-Za-z\\s,;.!?"\']\\s*|:\\d\\d\\S*\\s+(?:(?![A-Z][a-z]+\\s)\\S+\\s+)?)';
/** Celery prints what a task prints as a WARNING of its process. */
const slightLevel = [
  `(?<![-\\w])(?=[A-Z])${place}(?:${slightWord})(?![-=\\w]|(?<=WARNING)/)`,
  `(?<![-\\w])${place}(?:(?:${slight}): |[IW]\\d{4} \\d\\d:|(?!Unhandled)[A-Z]\\w+Warning: )`,
  `\\blevel=["']?(?:${slight})\\b|\\[(?:${slight}) *\\]|\\| SUCCESS +\\|`,
  ':\\d\\d(?:[AP]M)? (?:VRB|TRC|DBG|INF|WRN)[\\] ]',
].join('|');
/** The level of the line itself comes first, and near its start: what an INFO line speaks of is no error. */
const slightLine = [
  `(?:(?!${graveLevel}|\\{)[^\\n]){0,120}?(?:${slightLevel})`,
  `(?:\\S+ +\\| )?(?:${ownLevel}(?:${anyCase(slight)}|[1234]0\\b)|${ownSeverity}${anyCase(slight)})`,
  // A field of an error of PostgreSQL that Node prints below the line that tells of it.
  "\\s+severity(?:_local)?: '",
].join('|');
/** What somebody asked for: the address of a request and, in an access log, where the client came from and what it calls itself. */
const asked = [
  '"(?:[A-Z]+ )?(?:https?:/)?/[^\\s"]{0,2000}',
  ' HTTP/[\\d.]+" \\d+ \\S+ (?:"[^"\\n]{0,2000}" )?"[^"\\n]{0,2000}',
].join('|');
/** Those of Python stand at the end of a traceback, which has counted already. */
const pythonErrors = [
  'Arithmetic|Assertion|Attribute|BlockingIO|BrokenPipe|Buffer|ChildProcess|Connection\\w*|EOF|FileExists|FileNotFound|IO|Import',
  'Indentation|Index|Interrupted|IsADirectory|Key|Lookup|Memory|ModuleNotFound|Name|NotADirectory|NotImplemented|OS|Overflow',
  'Permission|ProcessLookup|Recursion|Runtime|System|Tab|Timeout|UnboundLocal|Unicode\\w*|Value|ZeroDivision',
].join('|');
const ofNode =
  '(?:object )?\\S+ is not (?:a function|a constructor|iterable|an object)|fetch failed|terminated';
/** A counter, or a field that is empty. */
const nothing = '(?!(?:0|null|nil|none|None|undefined|false|no)\\W*$)';

export const usualErrors = [
  `^(?!${slightLine})(?:${[
    `[^\\n]*?(?:${graveLevel})(?<!${asked})`,
    `[^{\\n]*(?:${ownLevel}(?:${anyCase(grave)}|[56]0\\b)|${ownSeverity}${anyCase(grave)})`,
  ].join('|')})`,
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

/** What stands for them in the journal of every attempt, which they would make twice as long. */
export const theUsualErrors = '(?:the usual errors)';

export function errorExpression(written: string): string {
  return written === theUsualErrors ? usualErrors : written;
}
