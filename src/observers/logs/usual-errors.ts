/** Which lines are errors by default: by the level of the line, its first words, or an error word in capitals. */
import { headOf } from './level-of.ts';
import { prefixLength } from './line-prefix.ts';
import { tracebackIn } from './traceback-in.ts';

/** What represents this rule in the journal of every attempt, in place of an expression. */
export const theUsualErrors = '(?:the usual errors)';

/** One of them is in every line that counts. They are rare in logs, which keeps the search fast. */
export const textsOfUsualErrors: readonly string[] = [
  ...['ERR', 'EROR', 'FTL', 'FATA', 'CRIT', 'PANI', 'PNC', 'SEVERE', 'EMERG', 'ALERT', '[E ', '[C '],
  ...['rror', 'eror', '=err', '"err"', "'err'", 'atal', 'crit', 'Crit', 'panic', 'Panic', 'merg', 'lert'],
  ...['vel":5', 'vel": 5', 'vel":6', 'vel": 6', '.go:', '.cc:', '.py:'],
  ...['fail: ', 'Traceback', 'goroutine ', 'Exception', 'Unhandled', 'Uncaught '],
  ...[' died', ' signal ', 'SIGSEGV', 'SIGABRT', 'SIGKILL', 'SIGBUS'],
];

export function isUsualError(line: string): boolean {
  // A field of an error of PostgreSQL that Node prints below the line that reports it.
  if (/^\s+severity(?:_local)?: '/.test(line)) return false;
  if (workerDied.test(line)) return true;
  const { rank, printed } = headOf(line, isErrorStart);
  if (printed !== undefined) return isTraceback(printed) || headOf(printed, isErrorStart).rank === 'grave';
  if (rank === 'grave' || isGlued(line)) return true;
  if (rank !== undefined) return false;
  return isTraceback(line) || (!endsWithSlightLevel(line) && shouts(line));
}

const deadly =
  '(?:SIG)?(?:SEGV|ABRT|BUS|ILL|FPE|KILL)|(?:4|6|7|8|9|11)\\b|Segmentation fault|Aborted|Bus error|Killed';
/** A server that lost a worker reports it at any level, and starts another: uvicorn, gunicorn, uWSGI, nginx, Apache, php-fpm, PM2. */
const workerDied = new RegExp(
  [
    '\\b(?:Child process \\[\\d+\\]|[Ww]orker \\d+(?: \\(pid: \\d+\\))?) died\\b',
    `\\b(?:[Ww]orker|[Cc]hild|[Pp]rocess|App)\\b[^"]{0,80}\\b(?:exit(?:ed)?|killed|terminated)\\b[^"]{0,40}\\bsignal \\[?(?:${deadly})`,
    '^Fatal Python error: ',
  ].join('|'),
);

/**
 * Behind words that end neither with a colon nor have a level: a quote, or, if all of it follows, a traceback behind a line that was
 * left without its end, as with `print("Loading ... ", end="")`. Gives these words.
 */
export function wordsBeforeTraceback(line: string): string | undefined {
  const before = tracebackIn(line);
  if (before === undefined || /:\s*$/.test(before)) return undefined;
  return headOf(line, isErrorStart).rank === undefined ? before : undefined;
}

/** Behind a prefix and what is drawn, a frame or the tree of a group. Behind other words, it is quoted. */
function isTraceback(line: string): boolean {
  const before = tracebackIn(line);
  if (before === undefined) return line.startsWith('Traceback');
  return /^[^\w"'`>]*$/.test(before.slice(prefixLength(before)));
}

/** Those of Python end a traceback, which has counted already. */
const pythonErrors = [
  'Arithmetic|Assertion|Attribute|BlockingIO|BrokenPipe|Buffer|ChildProcess|Connection\\w*|EOF|FileExists|FileNotFound|IO|Import',
  'Indentation|Index|Interrupted|IsADirectory|Key|Lookup|Memory|ModuleNotFound|Name|NotADirectory|NotImplemented|OS|Overflow',
  'Permission|ProcessLookup|Recursion|Runtime|System|Tab|Timeout|UnboundLocal|Unicode\\w*|Value|ZeroDivision',
].join('|');
const ofNode =
  '(?:object )?\\S+ is not (?:a function|a constructor|iterable|an object)|fetch failed|terminated';
/** Not a counter, a measurement, or a field that is empty. */
const something = '(?!(?:0|\\d+\\.\\d+|null|nil|none|None|undefined|false|no)\\W*$)';
const errorStart = new RegExp(
  [
    `^(?:error|fatal|critical): ${something}`,
    '^(?:fail|crit): \\S+\\[\\d+\\](?:\\s|$)', // .NET
    '^panic:|^goroutine \\d+ \\[running|^thread \'.+ panicked at |^Exception in thread "',
    '^PHP (?:Fatal|Parse) error: ',
    // The first line of an exception that was printed: of Node, also where it has a code, and of the JVM and .NET.
    `^\\[?(?!(?:${pythonErrors})Error: |(?:Type|Syntax)Error: (?!${ofNode})(?:[a-z'"]|Object of type |\\S+\\(\\) ))(?:[A-Z]\\w*)?Error(?: \\[\\w+\\])?: ${something}`,
    '^(?:java|javax|jakarta|kotlin|scala|org|com|net|io|System|Microsoft)\\.[\\w.$]+(?:Exception|Error)(?::|$)',
  ].join('|'),
);

function isErrorStart(printed: string): boolean {
  return errorStart.test(printed);
}

/** A record behind a line that was left without its end: output and error output share a log. Behind an escape, it is a quote. */
const glued = new RegExp(
  [
    '(?=(?:ERROR|FATAL|CRITICAL):[\\w.]{1,99}:)(?<=[\\p{Ll}\\d.!?)%])(?<![\\\\/%]\\w{1,4}|\\[[\\d;]{1,9}m)',
    '(?=(?:ERROR|FATAL|CRITICAL):? \\w)(?<=\\s\\p{Ll}{2,30})',
  ].join('|'),
  'u',
);

function isGlued(line: string): boolean {
  return glued.test(line) && !/^[^{]*\{.*\}\s*$/s.test(line);
}

const lastFieldsChars = 500;
/** Fields behind a message: `order 7 went from ERROR to PAID level=info`. */
const lastFields =
  /\s(?:level|lvl|severity)=["']?(?:trace|debug|info|notice|warn|warning)["']?(?:\s+[\w.@-]+=(?:"[^"]*"|'[^']*'|[^\s"']*))*\s*$/i;

function endsWithSlightLevel(line: string): boolean {
  return lastFields.test(line.slice(-lastFieldsChars));
}

/** Data from a client: the address of a request and, in an access log, the referrer and the user agent. */
const asked = /"(?:[A-Z]+ )?(?:https?:\/)?\/[^\s"]*| HTTP\/[\d.]+" \d+ \S+ (?:"[^"]*" )?"[^"]*/g;
const shouted = new RegExp(
  [
    '(?<!/|LEVEL=)\\b(?:ERROR|FATAL|CRITICAL|PANIC)\\b',
    '\\blevel=["\']?(?:error|fatal|critical|panic)\\b',
    '\\[(?:\\w+:)?(?:error|fatal|critical|crit|emerg) *\\]',
    'http: panic serving |Unhandled(?:Promise)?Rejection|Uncaught ',
  ].join('|'),
);

function shouts(line: string): boolean {
  return shouted.test(line.replaceAll(asked, ' '));
}
